import { readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { parseSync, Visitor } from "oxc-parser";
import type { Expression, VisitorObject } from "oxc-parser";

/** One place in a file where another module is named. */
export interface ModuleReference {
  readonly specifier: string;
  readonly line: number;
  readonly type: "Import" | "ReExport" | "ReExportAll";
}

/** What the rules look at in one file. */
export interface SourceFile {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly references: readonly ModuleReference[];
  /** Lines that read the present moment by `new Date()` or `Date()`. */
  readonly ambientDates: readonly number[];
  /** Lines that switch the linter off without saying why. */
  readonly unexplainedDisables: readonly number[];
  /** Why the file does not parse, in which case the rest cannot be relied on. */
  readonly syntaxErrors: readonly { readonly line: number; readonly message: string }[];
}

/** Parses one file. */
export function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { program, comments, errors } = parseSync(path, text);
  const lineAt = lineCounter(text);
  const references: ModuleReference[] = [];
  const ambientDates: number[] = [];
  new Visitor({ ...referenceVisitor(references, lineAt), ...dateVisitor(ambientDates, lineAt) }).visit(program);
  const unexplainedDisables = comments.filter(({ value }) => disables(value)).map(({ start }) => lineAt(start));
  const syntaxErrors = errors.map(({ message, labels }) => ({ line: lineAt(labels[0]?.start ?? 0), message }));
  return { path, references, ambientDates, unexplainedDisables, syntaxErrors };
}

function referenceVisitor(found: ModuleReference[], lineAt: (offset: number) => number): VisitorObject {
  const add = (type: ModuleReference["type"], source: Expression | null): void => {
    if (source?.type !== "Literal" || typeof source.value !== "string") return;
    found.push({ specifier: source.value, line: lineAt(source.start), type });
  };
  return {
    ImportDeclaration: ({ source }) => add("Import", source),
    ExportNamedDeclaration: ({ source }) => add("ReExport", source),
    ExportAllDeclaration: ({ source, exported }) => add(exported === null ? "ReExportAll" : "ReExport", source),
    ImportExpression: ({ source }) => add("Import", source),
    TSImportType: ({ source }) => add("Import", source),
  };
}

function dateVisitor(found: number[], lineAt: (offset: number) => number): VisitorObject {
  return {
    NewExpression({ callee, arguments: given, start }) {
      if (isDate(callee) && given.length === 0) found.push(lineAt(start));
    },
    CallExpression({ callee, start }) {
      if (isDate(callee)) found.push(lineAt(start));
    },
  };
}

function isDate(callee: Expression): boolean {
  return callee.type === "Identifier" && callee.name === "Date";
}

/** A reason follows two hyphens, as in `oxlint-disable-next-line no-eval -- the input is ours`. */
function disables(comment: string): boolean {
  return /^\s*(oxlint|eslint)-disable/.test(comment) && !/ -- \S/.test(comment);
}

function lineCounter(text: string): (offset: number) => number {
  return (offset) => text.slice(0, offset).split("\n").length;
}
