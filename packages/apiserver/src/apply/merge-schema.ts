import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/**
 * How a value merges and who can own its parts: the facts server-side apply needs of a type.
 *
 * A value may take any of the forms present. Types refer to each other through the properties of their forms,
 * which an implementation may compute when they are first read: schemas may be large, and recursive.
 */
export interface MergeSchema {
  readonly scalar?: ScalarForm | undefined;
  readonly list?: ListForm | undefined;
  readonly map?: MapForm | undefined;
}

/** What kind of scalar; `untyped` is any of them. */
export type ScalarForm = "boolean" | "numeric" | "string" | "untyped";

/** A list, and how its items are told apart. */
export interface ListForm {
  /**
   * `atomic`: they are not, the list is one value. `set`: scalars, each owned by itself.
   * `map`: objects, each owned by itself and field by field, told apart by their keys.
   */
  readonly relationship: "atomic" | "map" | "set";
  /** The fields that identify an item of a `map`; empty for the other relationships. */
  readonly keys: readonly ListKey[];
  readonly element: MergeSchema;
}

/** A field that identifies an item of a list, and the value an item has when it leaves the field out. */
export interface ListKey {
  readonly name: string;
  readonly default?: JsonValue | undefined;
}

/** An object: a struct with declared fields, a map of like entries, or a mixture of both. */
export interface MapForm {
  /** Whether the object is one value, rather than owned entry by entry. */
  readonly atomic: boolean;
  /** Whether any field is declared. */
  readonly hasFields: boolean;
  /** The type of a declared field. */
  field(name: string): MergeSchema | undefined;
  /** The type of entries that are not declared; absent when there may be none. */
  readonly element: MergeSchema | undefined;
}

/** Anything, owned as one value. */
export const untypedSchema: MergeSchema = {
  scalar: "untyped",
  get list(): ListForm {
    return atomicUntypedList;
  },
  map: {
    atomic: true,
    hasFields: false,
    field: () => undefined,
    get element(): MergeSchema {
      return untypedSchema;
    },
  },
};

/** Anything, told by looking at it: objects are owned entry by entry, lists as one value. */
export const deducedSchema: MergeSchema = {
  scalar: "untyped",
  get list(): ListForm {
    return atomicUntypedList;
  },
  map: {
    atomic: false,
    hasFields: false,
    field: () => undefined,
    get element(): MergeSchema {
      return deducedSchema;
    },
  },
};

const atomicUntypedList: ListForm = { relationship: "atomic", keys: [], element: untypedSchema };

/** An object with these fields and no others. */
export function structSchema(
  fields: Readonly<Record<string, MergeSchema>>,
  { atomic = false }: { readonly atomic?: boolean } = {},
): MergeSchema {
  const declared = new Map(Object.entries(fields));
  return { map: { atomic, hasFields: declared.size > 0, field: (name) => declared.get(name), element: undefined } };
}

/** An object with any fields, all of one type. */
export function mapSchema(element: MergeSchema): MergeSchema {
  return { map: { atomic: false, hasFields: false, field: () => undefined, element } };
}

/** A list; with keys, a list of objects that are told apart by them. */
export function listSchema(relationship: ListForm["relationship"], element: MergeSchema, ...keys: readonly ListKey[]): MergeSchema {
  return { list: { relationship, keys, element } };
}

/** The form to treat a value as: its own if the schema has it, otherwise (null, or a value of the wrong type) the first there is. */
export function formOf(schema: MergeSchema, value: JsonValue): keyof MergeSchema | undefined {
  const own = isJsonObject(value) ? "map" : isJsonArray(value) ? "list" : value === null ? undefined : "scalar";
  if (own !== undefined && schema[own] !== undefined) return own;
  if (schema.map !== undefined) return "map";
  if (schema.scalar !== undefined) return "scalar";
  return schema.list === undefined ? undefined : "list";
}

/** The map form of a type, if it is the form of the value and values are owned entry by entry. */
export function granularMap({ map }: MergeSchema, form: keyof MergeSchema | undefined): MapForm | undefined {
  return form === "map" && map?.atomic === false ? map : undefined;
}

/** The list form of a type, if it is the form of the value and values are owned item by item. */
export function granularList({ list }: MergeSchema, form: keyof MergeSchema | undefined): ListForm | undefined {
  return form === "list" && list?.relationship !== "atomic" ? list : undefined;
}

/** The type of an entry of an object. An entry the schema forbids is treated as anything. */
export function entrySchema(map: MapForm, name: string): MergeSchema {
  return map.field(name) ?? map.element ?? deducedSchema;
}
