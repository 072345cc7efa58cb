import { isBuiltin } from "node:module";
import { basename, dirname, join } from "node:path/posix";
import { layers } from "./layers.ts";
import type { ModuleReference, SourceFile } from "./source-file.ts";
import type { Violation } from "./violation.ts";
import { layerOf } from "./workspace.ts";
import type { Workspace, WorkspacePackage } from "./workspace.ts";

/** Who imports: a file, the package it belongs to, and whether it is there for tests only. */
interface Importer {
  readonly path: string;
  readonly owner: WorkspacePackage;
  readonly isTest: boolean;
}

type Complaint = Pick<Violation, "rule" | "message">;

/** What a file of a package imports against the arrows, the walls and the manifest of that package. */
export function importViolations(file: SourceFile, owner: WorkspacePackage, workspace: Workspace): Violation[] {
  const importer = { path: file.path, owner, isTest: isTestCode(file.path, owner) };
  return file.references.flatMap((reference) => {
    const complaint = complaintAbout(reference, importer, workspace);
    return complaint === undefined ? [] : [{ ...complaint, file: file.path, line: reference.line }];
  });
}

function complaintAbout({ specifier }: ModuleReference, importer: Importer, workspace: Workspace): Complaint | undefined {
  if (specifier.startsWith(".")) return aboutPath(specifier, importer);
  if (isBuiltin(specifier)) return aboutBuiltin(specifier, importer);
  const { name, subpath } = splitSpecifier(specifier);
  const imported = workspace.packages.find((each) => each.name === name);
  if (imported === undefined) return aboutThirdParty(name, importer);
  if (!isExported(imported, subpath)) {
    return { rule: "deep-import", message: `${specifier} is not exported; ${name} exports ${list(Object.keys(imported.exports))}` };
  }
  if (imported === importer.owner) return undefined;
  return aboutArrow(imported, subpath, importer) ?? aboutManifest(name, importer);
}

/** A relative import must stay inside its package, and what ships must not reach what tests. */
function aboutPath(specifier: string, { path, owner, isTest }: Importer): Complaint | undefined {
  const target = join(dirname(path), specifier);
  const home = owner.directory === "." ? path.split("/", 1).join("") : owner.directory;
  if (!target.startsWith(`${home}/`)) {
    return { rule: "deep-import", message: `${specifier} leaves ${home}; import the package by its name` };
  }
  if (isTest || !isTestCode(target, owner)) return undefined;
  return { rule: "testing-import", message: `${specifier} is for tests; only tests may import it` };
}

function aboutBuiltin(specifier: string, { owner, isTest }: Importer): Complaint | undefined {
  const allowed = ruleOf(owner)?.builtins;
  if (isTest || allowed === undefined || allowed.includes(specifier)) return undefined;
  return { rule: "layer", message: `${owner.name} imports ${specifier}; of Node it may import ${list(allowed)}` };
}

function aboutThirdParty(name: string, importer: Importer): Complaint | undefined {
  const { owner, isTest } = importer;
  const allowed = ruleOf(owner)?.thirdParty;
  if (!isTest && allowed !== undefined && !allowed.includes(name)) {
    return { rule: "layer", message: `${owner.name} imports ${name}; from elsewhere it may import ${list(allowed)}` };
  }
  return aboutManifest(name, importer);
}

/** Tests, tools and examples may draw any arrow to something public; what ships only those of the table. */
function aboutArrow(imported: WorkspacePackage, subpath: string, { owner, isTest }: Importer): Complaint | undefined {
  const rule = ruleOf(owner);
  if (isTest || rule === undefined) return undefined;
  const target = layerOf(imported);
  if (target === undefined || !rule.packages.includes(target)) {
    return { rule: "layer", message: `${owner.name} imports ${imported.name}; it may import ${list(rule.packages)}` };
  }
  if (subpath !== "./testing" || layerOf(owner) === "testing") return undefined;
  return { rule: "testing-import", message: `${imported.name}/testing is for tests; ${owner.name} ships without it` };
}

function aboutManifest(name: string, { owner, isTest }: Importer): Complaint | undefined {
  if (owner.dependencies.has(name)) return undefined;
  const ships = layerOf(owner) !== undefined && !isTest;
  if (!ships && owner.devDependencies.has(name)) return undefined;
  if (owner.directory === "." && name.startsWith("@kaji/")) return undefined;
  const wanted = ships ? "dependencies" : "dependencies or devDependencies";
  return { rule: "undeclared-dependency", message: `${name} is not among the ${wanted} of ${join(owner.directory, "package.json")}` };
}

function ruleOf(owner: WorkspacePackage): ReturnType<typeof layers.get> {
  return layers.get(layerOf(owner) ?? "");
}

/**
 * Tests stand beside the source; `testing.ts`, or a folder of that name anywhere, is what tests share, and what a package offers to the tests
 * of others; a catalogue is what a package is tried on.
 */
function isTestCode(path: string, { directory }: WorkspacePackage): boolean {
  if (/\.test\.tsx?$/.test(path)) return true;
  const inside = path.slice(directory.length + 1);
  return /^(?:test|catalogue|src\/(?:.*\/)?testing)\//.test(inside) || basename(inside) === "testing.ts";
}

function splitSpecifier(specifier: string): { name: string; subpath: string } {
  const segments = specifier.split("/");
  const name = segments.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  return { name, subpath: `.${specifier.slice(name.length)}` };
}

/** As Node resolves it: an exact sub-path wins over patterns, and among these the one with most before its star. */
function isExported({ exports }: WorkspacePackage, subpath: string): boolean {
  const patterns = Object.keys(exports).filter((key) => {
    const [before = "", after] = key.split("*");
    return after !== undefined && subpath.startsWith(before) && subpath.endsWith(after);
  });
  const [closest = ""] = patterns.toSorted((left, right) => right.indexOf("*") - left.indexOf("*"));
  return (exports[subpath in exports ? subpath : closest] ?? null) !== null;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
