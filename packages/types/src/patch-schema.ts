import type { PatchField, PatchSchema, PatchType } from "@kaji/core";
import type { FieldType } from "@kaji/core/protobuf";
import { referencedDefinition } from "./definition-name.ts";
import { structTable } from "./struct-table.ts";
import type { StructField } from "./struct-table.ts";

/** How strategic merge patches treat the objects of a struct such as `core.v1.Pod`; undefined when there is no such struct. */
export function patchSchemaOf(struct: string): PatchSchema | undefined {
  const properties = structTable.propertiesOf(struct);
  if (properties === undefined) return undefined;
  return {
    name: struct.slice(struct.lastIndexOf(".") + 1),
    field: (name) => {
      const field = properties.get(name);
      return field && patchField(field);
    },
  };
}

function patchField({ type, patchStrategy = "", patchMergeKey }: StructField): PatchField {
  const strategies = patchStrategy.split(",");
  const strategy = strategies.find((each) => each === "merge" || each === "replace");
  const list = type.type === "list" || type.type === "bytes";
  return {
    type: patchType(type.type === "list" ? type.items : type),
    ...(list ? { list } : {}),
    ...(strategy === undefined ? {} : { strategy }),
    ...(strategies.includes("retainKeys") ? { retainKeys: true } : {}),
    ...(patchMergeKey === undefined ? {} : { mergeKey: patchMergeKey }),
  };
}

/** Patches see Go's types: a time is a struct without fields, bytes are a list of small integers. */
function patchType(type: FieldType): PatchType {
  if (type.type === "struct") return patchSchemaOf(type.name) ?? "interface";
  const definition = referencedDefinition(type);
  if (definition === undefined) return goKinds.get(type.type) ?? type.type;
  return { name: definition.slice(definition.lastIndexOf(".") + 1), field: () => undefined };
}

/** Where Go's name of a kind is not ours. */
const goKinds: ReadonlyMap<string, string> = new Map([
  ["bytes", "uint8"],
  ["list", "slice"],
  ["any", "interface"],
]);
