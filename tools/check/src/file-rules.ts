import { basename } from "node:path/posix";
import type { SourceFile } from "./source-file.ts";
import type { Violation } from "./violation.ts";
import { entryPaths, layerOf } from "./workspace.ts";
import type { WorkspacePackage } from "./workspace.ts";

/** Words that say where code was put, not what it is about. */
const emptyWord = /(^|-)(utils?|helpers?|misc)$|^(common|shared|types)$/;

/** Where the present moment may be read. */
const clockFile = "packages/core/src/outside/system-clock.ts";

/** What is wrong with the name or the shape of one file, whatever it imports. */
export function fileViolations(file: SourceFile, owner: WorkspacePackage): Violation[] {
  return [...nameViolations(file, owner), ...reExportViolations(file, owner), ...lineViolations(file)];
}

/** A package of the house has one table of contents, `src/index.ts`, unless it is only imported by its sub-paths. */
export function indexViolations(owner: WorkspacePackage, paths: readonly string[]): Violation[] {
  if (layerOf(owner) === undefined) return [];
  const wanted = `${owner.directory}/src/index.ts`;
  const indexes = paths.filter((path) => basename(path) === "index.ts");
  const extra = indexes.filter((path) => path !== wanted).map((path) => index(path, `${owner.name} has its index at ${wanted}`));
  const isMissing = owner.exports["."] !== undefined && !indexes.includes(wanted);
  return isMissing ? [...extra, index(wanted, `${owner.name} has no index`)] : extra;
}

function nameViolations({ path }: SourceFile, owner: WorkspacePackage): Violation[] {
  const inside = path.slice(owner.directory === "." ? 0 : owner.directory.length + 1);
  const words = inside.split("/").map((segment) => segment.replace(/\..*$/, ""));
  const bad = words.find((word) => emptyWord.test(word));
  if (bad === undefined) return [];
  return [{ rule: "file-name", file: path, line: 1, message: `"${bad}" names no concept; name the file after what it is about` }];
}

/** Names leave a package through the files in `exports`, each written out. */
function reExportViolations({ path, references }: SourceFile, owner: WorkspacePackage): Violation[] {
  const isEntry = entryPaths(owner).includes(path);
  return references.flatMap(({ type, specifier, line }): Violation[] => {
    if (type === "ReExportAll") {
      return [{ rule: "export-star", file: path, line, message: `export * from ${specifier} hides what is offered; write the names out` }];
    }
    if (type !== "ReExport" || isEntry) return [];
    return [{ rule: "barrel", file: path, line, message: `re-exports from ${specifier}; only a file named in "exports" may` }];
  });
}

function lineViolations({ path, ambientDates, unexplainedDisables, syntaxErrors }: SourceFile): Violation[] {
  const dates = path === clockFile ? [] : ambientDates;
  return [
    ...dates.map((line) => ({ rule: "ambient-date", file: path, line, message: "reads the present moment; take a Clock from @kaji/core" })),
    ...syntaxErrors.map(({ line, message }) => ({ rule: "syntax", file: path, line, message })),
    ...unexplainedDisables.map((line) => ({ rule: "disable-reason", file: path, line, message: 'say why after " -- "' })),
  ];
}

function index(file: string, message: string): Violation {
  return { rule: "index", file, line: 1, message };
}
