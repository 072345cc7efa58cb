import type { JsonValue } from "@kaji/core";
import type { FieldType } from "@kaji/core/protobuf";
import { structTable } from "./struct-table.ts";
import type { StructField } from "./struct-table.ts";

/** How a value merges under server-side apply, in the words of structured-merge-diff. A value may take any form that is present. */
export interface MergeSchema {
  readonly scalar?: "boolean" | "numeric" | "string" | "untyped";
  readonly list?: MergeList;
  readonly map?: MergeMap;
}

/** A list, and how its items are told apart: not at all, by their value, or by keys. */
export interface MergeList {
  readonly relationship: "atomic" | "map" | "set";
  /** Each with the value that an item has when it leaves the key out. */
  readonly keys: readonly { readonly name: string; readonly default?: JsonValue }[];
  readonly element: MergeSchema;
}

/** An object with declared fields, or with entries of one type. */
export interface MergeMap {
  /** Whether it is one value, rather than owned entry by entry. */
  readonly atomic: boolean;
  readonly hasFields: boolean;
  field(name: string): MergeSchema | undefined;
  /** The type of what is not declared; absent when there may be no such thing. */
  readonly element: MergeSchema | undefined;
}

/** How objects of a struct such as `core.v1.Pod` merge; undefined when there is no such struct. */
export function mergeSchemaOf(struct: string): MergeSchema | undefined {
  return structTable.propertiesOf(struct) && structSchema(struct, structTable.mapTypeOf(struct));
}

/** Fields are made when they are asked for: structs contain themselves. */
function structSchema(struct: string, mapType: StructField["mapType"]): MergeSchema {
  const fields = new Map<string, MergeSchema>();
  const properties = structTable.propertiesOf(struct);
  // OpenAPI takes a struct without fields for an object that may hold anything.
  if (properties?.size === 0) return { map: entries(deduced, mapType) };
  const field = (name: string): MergeSchema | undefined => {
    const declared = properties?.get(name);
    if (declared === undefined) return undefined;
    let schema = fields.get(name);
    if (schema === undefined) fields.set(name, (schema = fieldSchema(declared.type, declared)));
    return schema;
  };
  return { map: { atomic: mapType === "atomic", hasFields: true, field, element: undefined } };
}

function fieldSchema(type: FieldType, field: StructField): MergeSchema {
  switch (type.type) {
    case "struct":
      return structSchema(type.name, field.mapType ?? structTable.mapTypeOf(type.name));
    case "list":
      return { list: listSchema(type.items, field) };
    case "map":
      return { map: entries(elementSchema(type.values), field.mapType) };
    case "bool":
      return { scalar: "boolean" };
    case "int32":
    case "int64":
    case "float64":
      return { scalar: "numeric" };
    case "string":
    case "bytes":
      return { scalar: "string" };
    case "time":
    case "microTime":
    case "quantity":
    case "intOrString":
      return { scalar: "untyped" };
    case "fieldsV1":
      return { map: entries(deduced) };
    case "rawExtension":
      return untyped;
    case "any":
    case "json":
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStrings":
      return deduced;
    default:
      return type satisfies never;
  }
}

function listSchema(items: FieldType, field: StructField): MergeList {
  const element = elementSchema(items);
  const { listType, listMapKeys = [], patchStrategy = "", patchMergeKey } = field;
  if (listType === undefined && patchStrategy.startsWith("merge")) {
    return patchMergeKey === undefined
      ? { relationship: "set", keys: [], element }
      : { relationship: "map", keys: listKeys(items, [patchMergeKey]), element };
  }
  return { relationship: listType ?? "atomic", keys: listKeys(items, listMapKeys), element };
}

function listKeys(items: FieldType, names: readonly string[]): MergeList["keys"] {
  const properties = items.type === "struct" ? structTable.propertiesOf(items.name) : undefined;
  return names.map((name) => {
    const fallback = properties?.get(name)?.default;
    return fallback === undefined ? { name } : { name, default: fallback };
  });
}

/** Items and entries carry no facts of their own. */
function elementSchema(type: FieldType): MergeSchema {
  return fieldSchema(type, plain);
}

function entries(element: MergeSchema, mapType?: StructField["mapType"]): MergeMap {
  return { atomic: mapType === "atomic", hasFields: false, field: () => undefined, element };
}

const plain: StructField = {
  name: "",
  number: 0,
  type: { type: "any" },
  pointer: false,
  omitEmpty: false,
  omitZero: false,
  inline: false,
  required: false,
};

/** Anything, owned as one value. */
const untyped: MergeSchema = {
  scalar: "untyped",
  get list(): MergeList {
    return { relationship: "atomic", keys: [], element: untyped };
  },
  get map(): MergeMap {
    return entries(untyped, "atomic");
  },
};

/** Anything, told by looking at it: objects are owned entry by entry, lists as one value. */
const deduced: MergeSchema = {
  scalar: "untyped",
  get list(): MergeList {
    return { relationship: "atomic", keys: [], element: untyped };
  },
  get map(): MergeMap {
    return entries(deduced);
  },
};
