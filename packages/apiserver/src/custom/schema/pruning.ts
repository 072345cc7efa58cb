import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { StructuralNode } from "./structural-node.ts";

/** Fields that every object of its own has, whatever its schema says of them. */
const objectFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** What is left of an object, and what of it was not known. */
export interface Pruned {
  readonly value: JsonObject;
  /** Paths such as `spec.containers[0].foo`, sorted. */
  readonly unknownFields: readonly string[];
}

/** Drops the fields of an object that its schema does not know. Its type and metadata stay as they are. */
export function pruneObject(object: JsonObject, schema: StructuralNode): Pruned {
  const unknownFields: string[] = [];
  const value = pruneFields(object, schema, { unknownFields, path: "", isRoot: true });
  return { value, unknownFields: unknownFields.toSorted() };
}

/** Drops the fields of a value that its schema does not know. */
export function pruneValue(value: JsonValue, schema: StructuralNode): JsonValue {
  return prune(value, schema, { unknownFields: [], path: "", isRoot: false });
}

interface Place {
  readonly unknownFields: string[];
  /** Where the value stands. */
  readonly path: string;
  /** Whether this is the object itself, which needs no mark to be taken for one. */
  readonly isRoot: boolean;
}

/** Without a schema nothing is known: objects lose all they have, lists keep their items. */
function prune(value: JsonValue, schema: StructuralNode | undefined, place: Place): JsonValue {
  if (isJsonObject(value)) return schema === undefined ? dropFields(value, place) : pruneFields(value, schema, place);
  if (!isJsonArray(value)) return value;
  if (schema?.preserves === true) return schema.items === undefined ? value : mapItems(value, schema.items, place, keep);
  return mapItems(value, schema?.items, place, prune);
}

/** What stands in a list that keeps unknown fields keeps its own, too, unless it is declared further down. */
function keep(value: JsonValue, schema: StructuralNode | undefined, place: Place): JsonValue {
  if (schema === undefined) return value;
  if (isJsonArray(value)) return schema.items === undefined ? value : mapItems(value, schema.items, place, keep);
  return isJsonObject(value) ? pruneFields(value, schema, place, keepsAll) : value;
}

const keepsAll = { preserves: true } as const;

function pruneFields(
  object: JsonObject,
  schema: StructuralNode,
  place: Place,
  { preserves }: Pick<StructuralNode, "preserves"> = schema,
): JsonObject {
  const { unknownFields, isRoot } = place;
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const name in object) {
    const given = object[name];
    if (given === undefined || ((isRoot || schema.embedded) && objectFields.has(name))) continue;
    const property = schema.properties.get(name);
    if (property !== undefined || schema.hasAdditional) {
      if (typeof given !== "object" || given === null) continue;
      const pruned = prune(given, property ?? schema.additional, { unknownFields, path: pathOf(place.path, name), isRoot: false });
      if (pruned !== given) (copy ??= { ...object })[name] = pruned;
    } else if (!preserves) {
      unknownFields.push(pathOf(place.path, name));
      delete (copy ??= { ...object })[name];
    }
  }
  return copy ?? object;
}

function dropFields(object: JsonObject, { unknownFields, path }: Place): JsonObject {
  const names = Object.keys(object);
  for (const name of names) unknownFields.push(pathOf(path, name));
  return names.length === 0 ? object : {};
}

type Visit = (value: JsonValue, schema: StructuralNode | undefined, place: Place) => JsonValue;

function mapItems(list: JsonArray, items: StructuralNode | undefined, { unknownFields, path }: Place, visit: Visit): JsonArray {
  let copy: JsonValue[] | undefined;
  list.forEach((item, index) => {
    if (typeof item !== "object" || item === null) return;
    const pruned = visit(item, items, { unknownFields, path: `${path}[${index}]`, isRoot: false });
    if (pruned !== item) (copy ??= [...list])[index] = pruned;
  });
  return copy ?? list;
}

function pathOf(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}
