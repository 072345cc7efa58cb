import type { GoKind } from "./go-facts.ts";
import type { StructFact, TypeFact } from "./struct-facts.ts";
import { shortName } from "./struct-names.ts";
import { packageOf } from "./type-file.ts";
import { isList, typesOfCore } from "./type-files.ts";

/** A map in types alone, from the names of structs to what they are in TypeScript as a part of another type. What contains itself is not there: no structural schema describes it. */
export function structTypesFile(structs: readonly StructFact[], kinds: readonly GoKind[], typePaths: Iterable<string>): string {
  const modules = new Map(Array.from(typePaths, (path) => [path.replace(/\.ts$/, "").replace("/", "."), path]));
  const objects = new Set(kinds.map(({ struct }) => shortName(struct)));
  const typed = structs.filter((struct) => struct.published && modules.has(packageOf(struct.name)) && !isList(struct));
  const isEndless = endlessStructs(structs);
  const members = typed
    .filter((struct) => (!objects.has(struct.name) || hasMetadata(struct)) && !isEndless(struct.name))
    .map(({ name }) => `  readonly ${JSON.stringify(name)}: ${typeText(name, objects.has(name))};\n`);
  const imports = Array.from(modules, ([name, path]) => `import type * as ${alias(name)} from "../${path}";\n`);
  const comment = "/** What the structs behind the built-in kinds are in TypeScript, as a part of another type. */";
  return `import type * as core from "@kaji/core";\n${imports.join("")}\n${comment}\nexport interface StructTypes {\n${members.join("")}}\n`;
}

/** Tells which structs contain themselves, or one that does. */
function endlessStructs(structs: readonly StructFact[]): (name: string) => boolean {
  const parts = new Map(structs.map(({ name, fields }) => [name, fields.flatMap(({ type }) => structsIn(type))]));
  const known = new Map<string, boolean>();
  const isEndless = (name: string, inside: readonly string[]): boolean => {
    if (inside.includes(name)) return true;
    const found = known.get(name) ?? (parts.get(name) ?? []).some((part) => isEndless(part, [...inside, name]));
    known.set(name, found);
    return found;
  };
  return (name) => isEndless(name, []);
}

function structsIn(type: TypeFact): readonly string[] {
  switch (type.kind) {
    case "leaf":
      return [];
    case "struct":
      return [type.name];
    case "schemaOr":
      return [type.schema];
    case "list":
      return structsIn(type.items);
    case "map":
      return structsIn(type.values);
    default:
      return type satisfies never;
  }
}

/** What the options of a request lack, which are of a kind but no part of anything. */
function hasMetadata({ fields }: StructFact): boolean {
  return fields.some(({ name }) => name === "metadata");
}

function typeText(name: string, isObject: boolean): string {
  const local = name.slice(packageOf(name).length + 1);
  if (name === "meta.v1.ObjectMeta") return "Partial<core.ObjectMeta>";
  if (typesOfCore.has(name)) return `core.${local}`;
  const type = `${alias(packageOf(name))}.${local}`;
  return isObject ? `core.Draft<${type}>` : type;
}

/** `core.v1` → `coreV1`. */
function alias(packageName: string): string {
  return packageName.replace(".v", "V");
}
