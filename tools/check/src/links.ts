import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { readMarkdown } from "./markdown-page.ts";
import type { MarkdownLink, MarkdownPage } from "./markdown-page.ts";
import { formatViolations } from "./violation.ts";
import type { Violation } from "./violation.ts";

/** Folders whose pages are not the workspace's own, or are meant to be wrong. */
const foreignFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "fixtures", "testdata", "api", "generated"]);

/** Links between the pages of a workspace that lead nowhere. Those to other hosts are not followed. */
function linkViolations(root: string): Violation[] {
  const paths = globSync("**/*.md", { cwd: root, exclude: (name) => foreignFolders.has(name) });
  const pages = new Map(paths.map((path) => [path, readMarkdown(root, path)]));
  return [...pages.values()].flatMap((page) =>
    page.links.flatMap((link): Violation[] => {
      const message = whyBroken(link, page, { root, pages });
      return message === undefined ? [] : [{ rule: "link", file: page.path, line: link.line, message }];
    }),
  );
}

interface Pages {
  readonly root: string;
  readonly pages: ReadonlyMap<string, MarkdownPage>;
}

function whyBroken({ target }: MarkdownLink, from: MarkdownPage, { root, pages }: Pages): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from.path : join(dirname(from.path), file);
  if (!existsSync(join(root, path))) return `there is no ${path}`;
  const page = pages.get(path);
  if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return undefined;
  return `${path} has no heading #${anchor}`;
}

if (import.meta.main) {
  const violations = linkViolations(process.cwd());
  process.stdout.write(formatViolations(violations));
  process.exitCode = violations.length === 0 ? 0 : 1;
}
