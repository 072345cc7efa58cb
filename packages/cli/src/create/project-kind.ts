import { readFileSync, readdirSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { firstLine } from "../external-kinds/definition-text.ts";

/** Whether objects of a kind are in namespaces. */
export type Scope = "Cluster" | "Namespaced";

/** A custom resource that a project defines in a file of its own. */
export interface ProjectKind {
  /** Empty where the text does not say it, since it is a constant. */
  readonly group: string;
  readonly version: string;
  readonly scope: Scope;
  /** Whether another operator defines it: the file was made by `kaji types`. */
  readonly isExternal: boolean;
  /** Whether it still has the fields that a new kind begins with, which its first controller sets. */
  readonly isSample: boolean;
  /** The file in `src`, without extension. One in a folder of `src` has the path to it. */
  readonly file: string;
}

/** Whether a file defines what others of this name are about: `certificate` and `pki/certificate` do, for `certificate`. */
export function isFileNamed({ file }: Pick<ProjectKind, "file">, name: string): boolean {
  return posix.basename(file) === name;
}

/** Finds the definitions of a kind in the sources of a project: one for each group that has it. */
export function findProjectKinds(folder: string, kind: string): readonly ProjectKind[] {
  const own = new RegExp(`export const ${kind}\\b[^=]*= *defineResource\\(([\\s\\S]*?)\\n}\\)`);
  const external = new RegExp(`= *defineResource\\(([\\s\\S]*?)\\n}\\)[\\s\\S]*export const ${kind} = \\w+Definition\\.versions\\b`);
  return sourceFiles(folder).flatMap((name) => {
    const text = readFileSync(join(folder, "src", name), "utf8");
    const isExternal = text.startsWith(firstLine);
    const body = (isExternal ? external : own).exec(text)?.[1];
    if (body === undefined) return [];
    const field = (key: string): string => new RegExp(`^ {2}${key}: "([^"]*)"`, "m").exec(body)?.[1] ?? "";
    const scope = field("scope") === "Cluster" ? "Cluster" : "Namespaced";
    const isSample = /^ {4}message: /m.test(body) && /^ {2}status: z\.object\({ conditions: k\.conditions\(\) }\)/m.test(body);
    return [{ group: field("group"), version: field("version"), scope, isExternal, isSample, file: name.slice(0, -".ts".length) }];
  });
}

/** The group of all that a project defines itself; undefined if it defines nothing, or has several. */
export function findProjectGroup(folder: string): string | undefined {
  const groups = sourceFiles(folder).flatMap((name) => {
    const text = readFileSync(join(folder, "src", name), "utf8");
    if (text.startsWith(firstLine)) return [];
    return [...text.matchAll(/export const \w+[^=\n]*= *defineResource\({\n {2}group: "([^"]+)"/g)].flatMap(([, group]) => group ?? []);
  });
  const [first, ...others] = new Set(groups);
  return others.length === 0 ? first : undefined;
}

function sourceFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(join(folder, "src"), { encoding: "utf8", recursive: true });
    return names.map((name) => name.replaceAll(sep, "/")).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  } catch {
    return [];
  }
}
