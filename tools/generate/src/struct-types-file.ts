import type { GoKind } from "./go-facts.ts";
import type { StructFact } from "./struct-facts.ts";
import { shortName } from "./struct-names.ts";
import { packageOf } from "./type-file.ts";
import { isList, typesOfCore } from "./type-files.ts";

/** A map in types alone, from the names of structs to what they are in TypeScript as a part of another type. */
export function structTypesFile(structs: readonly StructFact[], kinds: readonly GoKind[], typePaths: Iterable<string>): string {
  const modules = new Map(Array.from(typePaths, (path) => [path.replace(/\.ts$/, "").replace("/", "."), path]));
  const objects = new Set(kinds.map(({ struct }) => shortName(struct)));
  const typed = structs.filter((struct) => struct.published && modules.has(packageOf(struct.name)) && !isList(struct));
  const members = typed
    .filter((struct) => !objects.has(struct.name) || hasMetadata(struct))
    .map(({ name }) => `  readonly ${JSON.stringify(name)}: ${typeText(name, objects.has(name))};\n`);
  const imports = Array.from(modules, ([name, path]) => `import type * as ${alias(name)} from "../${path}";\n`);
  const comment = "/** What the structs behind the built-in kinds are in TypeScript, as a part of another type. */";
  return `import type * as core from "@kaji/core";\n${imports.join("")}\n${comment}\nexport interface StructTypes {\n${members.join("")}}\n`;
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
