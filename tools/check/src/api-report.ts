import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { createTwoFilesPatch } from "diff";
import { scriptOptions } from "@kaji-tools/script-options";
import { extractApi } from "./extract-api.ts";
import type { ApiReport, EntryPoint } from "./extract-api.ts";
import { layerOf, readWorkspace } from "./workspace.ts";
import type { WorkspacePackage } from "./workspace.ts";

/** What the committed reports must say, and what stands in the way of it. */
interface Verdict {
  /** Path to text, for every report that differs from the committed one. */
  readonly changed: ReadonlyMap<string, string>;
  /** Reports of entry points that are gone. */
  readonly stale: readonly string[];
  /** What no update can put right. */
  readonly complaints: readonly string[];
}

/** Compares the public API of every package, as built, with the reports under `packages/NAME/api`. */
function judge(root: string, cacheFolder: string): Verdict {
  const entryPoints = readWorkspace(root)
    .packages.filter((each) => layerOf(each) !== undefined)
    .flatMap(entryPointsOf);
  const isBuilt = ({ declarations }: EntryPoint): boolean => existsSync(join(root, declarations));
  const missing = entryPoints.filter((entryPoint) => !isBuilt(entryPoint));
  const reports = extractApi(root, entryPoints.filter(isBuilt), cacheFolder);
  const wanted = new Map(reports.map((report) => [reportPath(report.entryPoint), report.text]));
  const known = new Set(entryPoints.map(reportPath));
  return {
    changed: new Map([...wanted].filter(([path, text]) => text !== readIfPresent(join(root, path)))),
    stale: globSync("packages/*/api/*.api.md", { cwd: root }).filter((path) => !known.has(path)),
    complaints: [
      ...missing.map(({ declarations }) => `${declarations} is named in "exports" but was not built`),
      ...reports.flatMap(undocumentedNames),
    ],
  };
}

function undocumentedNames({ entryPoint, undocumented }: ApiReport): string[] {
  return undocumented.map((name) => `${reportPath(entryPoint)}: undocumented: ${name} needs a sentence that says what it promises`);
}

/** Every sub-path with types of its own. Patterns stand for generated modules, which nobody reviews by hand. */
function entryPointsOf({ directory, exports }: WorkspacePackage): EntryPoint[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = target?.["types"];
    if (types === undefined || subpath.includes("*")) return [];
    const name = subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-");
    return [{ directory, name, declarations: join(directory, types) }];
  });
}

function reportPath({ directory, name }: EntryPoint): string {
  return join(directory, "api", `${name}.api.md`);
}

function readIfPresent(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Changes with any declaration, manifest or report, and with the programs that make the reports. */
function inputHash(root: string): string {
  const patterns = ["packages/*/dist/**/*.d.ts", "packages/*/package.json", "packages/*/api/*.api.md", "package-lock.json"];
  const inputs = globSync(patterns, { cwd: root }).filter((path) => !path.endsWith(".test.d.ts"));
  const programs = ["api-report.ts", "extract-api.ts"].map((file) => join(import.meta.dirname, file));
  const hash = createHash("sha256");
  for (const path of [...inputs.toSorted().map((input) => join(root, input)), ...programs]) {
    hash.update(`${path}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

function differences(root: string, { changed, stale }: Verdict): string[] {
  const diffs = [...changed].map(([path, text]) =>
    createTwoFilesPatch(path, path, readIfPresent(join(root, path)), text, "committed", "built"),
  );
  const outdated = stale.map((path) => `${path} reports an entry point that is gone`);
  return diffs.length + outdated.length === 0 ? [] : [...diffs, ...outdated, "npm run api writes the reports; commit them with the change"];
}

function update(root: string, { changed, stale }: Verdict): void {
  for (const [path, text] of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of stale) rmSync(join(root, path));
}

/** What is wrong with the reports, after putting right what an update can. */
function problemsOf(root: string, { cacheFolder, mayUpdate }: { readonly cacheFolder: string; readonly mayUpdate: boolean }): string[] {
  const passedPath = join(cacheFolder, "passed");
  if (readIfPresent(passedPath) === inputHash(root)) return [];
  const verdict = judge(root, cacheFolder);
  if (mayUpdate) update(root, verdict);
  const problems = [...(mayUpdate ? [] : differences(root, verdict)), ...verdict.complaints];
  if (problems.length === 0) writeFileSync(passedPath, inputHash(root));
  return problems;
}

const usage = `usage: npm run api [-- --check]

Writes the reports of the public API, packages/*/api/*.api.md. With --check, only compares them with what was built.`;

if (import.meta.main) {
  const { values } = scriptOptions({ name: "api", usage, options: { check: { type: "boolean", default: false } } });
  const root = process.cwd();
  const cacheFolder = join(root, "node_modules/.cache/kaji-check/api");
  mkdirSync(cacheFolder, { recursive: true });
  const problems = problemsOf(root, { cacheFolder, mayUpdate: !values.check });
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
