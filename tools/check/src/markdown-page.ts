import { readFileSync } from "node:fs";
import { join } from "node:path/posix";

/** What the check of links looks at in one page. */
export interface MarkdownPage {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly links: readonly MarkdownLink[];
  /** What may follow `#` in a link to the page: its headings, in the form that GitHub gives them. */
  readonly anchors: ReadonlySet<string>;
}

/** A link or an image, to whatever it leads. */
export interface MarkdownLink {
  readonly target: string;
  readonly line: number;
}

/** Reads the links and headings of one page. What is in a block of code is neither. */
export function readMarkdown(root: string, path: string): MarkdownPage {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/.+/g, "")).split("\n");
  const links = lines.flatMap((line, index) => targets(line).map((target) => ({ target, line: index + 1 })));
  return { path, links, anchors: anchorsOf(lines) };
}

function targets(line: string): string[] {
  const prose = line.replaceAll(/`[^`]*`/g, "code");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target);
}

/** A heading that is there twice has its number behind it the second time. */
function anchorsOf(lines: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of lines) {
    const [, heading] = /^#+ +(.+)$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const anchor = anchorOf(heading);
    let repeated = 0;
    while (anchors.has(repeated === 0 ? anchor : `${anchor}-${repeated}`)) repeated++;
    anchors.add(repeated === 0 ? anchor : `${anchor}-${repeated}`);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
