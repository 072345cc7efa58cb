import { duplicate, invalidValue, isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { FieldError, FieldPath, JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { sortedJson } from "../schema/sorted-json.ts";
import type { StructuralNode } from "../schema/structural-node.ts";

/** What is there twice in a value though it may be once only: items of sets, and keys of lists that are maps. */
export function validateListTypes(value: JsonValue, schema: StructuralNode, path: FieldPath): readonly FieldError[] {
  return isFine(value, schema) ? [] : errorsIn(value, schema, path);
}

/** Whether there is plainly nothing wrong, told without making anything; when in doubt it is not fine. */
function isFine(value: JsonValue, schema: StructuralNode): boolean {
  if (!schema.within.uniqueLists || typeof value !== "object" || value === null) return true;
  if (isJsonArray(value)) {
    const { items } = schema;
    return hasUniqueItems(value, schema) && (items?.within.uniqueLists !== true || value.every((item) => isFine(item, items)));
  }
  if (!isJsonObject(value)) return true;
  for (const name in value) {
    const entry = schema.entry(name);
    if (entry?.within.uniqueLists === true && !isFine(value[name] ?? null, entry)) return false;
  }
  return true;
}

function hasUniqueItems(list: JsonArray, { listType, listMapKeys }: StructuralNode): boolean {
  const [key = "", ...more] = listMapKeys;
  if (listType !== "set" && listType !== "map") return true;
  if (listType === "map" && more.length > 0) return list.length === 0;
  const seen = new Set<JsonValue>();
  for (const item of list) {
    const identity = listType === "set" ? item : isJsonObject(item) ? item[key] : undefined;
    if (typeof identity !== "string" && typeof identity !== "number") return false;
    seen.add(identity);
  }
  return seen.size === list.length;
}

function errorsIn(value: JsonValue, schema: StructuralNode, path: FieldPath): readonly FieldError[] {
  if (!schema.within.uniqueLists) return [];
  if (isJsonArray(value)) return [...listErrors(value, schema, path), ...itemErrors(value, schema, path)];
  return isJsonObject(value) ? fieldErrors(value, schema, path) : [];
}

function fieldErrors(object: JsonObject, { properties, additional }: StructuralNode, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (additional !== undefined) errors.push(...errorsIn(value, additional, path.key(name)));
    const property = properties.get(name);
    if (property !== undefined) errors.push(...errorsIn(value, property, path.child(name)));
  }
  return errors;
}

function itemErrors(list: JsonArray, { items }: StructuralNode, path: FieldPath): readonly FieldError[] {
  return items === undefined ? [] : list.flatMap((item, index) => errorsIn(item, items, path.index(index)));
}

function listErrors(list: JsonArray, { listType, listMapKeys }: StructuralNode, path: FieldPath): readonly FieldError[] {
  if (listType === "set")
    return repeatedAt(list.map(identityOf)).map((index) => duplicate(path.index(index), sortedJson(list[index] ?? null)));
  if (listType !== "map") return [];
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0) return [invalidValue(path.index(odd), sortedJson(list[odd] ?? null), "must be an object for an array of list-type map")];
  const keys = list.map((item) => keyOf(item, listMapKeys));
  return repeatedAt(keys.map(identityOf)).map((index) => duplicate(path.index(index), sortedJson(keys[index] ?? null)));
}

/** The fields that identify an item, less those it does not have. */
function keyOf(item: JsonValue, names: readonly string[]): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(item, name) && item[name] !== undefined ? [[name, item[name]]] : [])));
}

/** Where a value stands for the second time; further repetitions of it do not count. */
function repeatedAt(identities: readonly string[]): readonly number[] {
  const times = new Map<string, number>();
  return identities.flatMap((identity, index) => {
    const count = (times.get(identity) ?? 0) + 1;
    times.set(identity, count);
    return count === 2 ? [index] : [];
  });
}

function identityOf(value: JsonValue): string {
  return stringifyJson(sortedJson(value));
}
