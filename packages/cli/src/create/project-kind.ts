import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Scope } from "./api-files.ts";

/** A custom resource that a project defines in a file of its own. */
export interface ProjectKind {
  readonly group: string;
  readonly version: string;
  readonly scope: Scope;
  /** The file in `src`, without extension. */
  readonly file: string;
}

/** Finds the definitions of a kind in the sources of a project: one for each group that has it. */
export function findProjectKinds(folder: string, kind: string): readonly ProjectKind[] {
  const declaration = new RegExp(`export const ${kind}\\b[^=]*= *defineResource\\(([\\s\\S]*?)\\n}\\)`);
  return sourceFiles(folder).flatMap((name) => {
    const body = declaration.exec(readFileSync(join(folder, "src", name), "utf8"))?.[1];
    if (body === undefined) return [];
    const field = (key: string): string => new RegExp(`^ {2}${key}: "([^"]*)"`, "m").exec(body)?.[1] ?? "";
    const scope = field("scope") === "Cluster" ? "Cluster" : "Namespaced";
    return [{ group: field("group"), version: field("version"), scope, file: basename(name, ".ts") }];
  });
}

function sourceFiles(folder: string): readonly string[] {
  try {
    return readdirSync(join(folder, "src")).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  } catch {
    return [];
  }
}
