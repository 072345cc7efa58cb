import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { StructuralNode } from "./structural-node.ts";

/**
 * Fills in the defaults a schema has for fields that are absent, or null where they may not be.
 * Parts without anything to fill in are shared with the value that was given.
 */
export function applyDefaults<T extends JsonValue>(value: T, schema: StructuralNode): T;
export function applyDefaults(value: JsonValue, schema: StructuralNode): JsonValue {
  if (!schema.within.defaults || typeof value !== "object" || value === null) return value;
  if (isJsonArray(value)) return schema.items === undefined ? value : defaultItems(value, schema.items);
  return isJsonObject(value) ? defaultFields(value, schema) : value;
}

/** Drops the nulls of fields that may not be null and have no default to take their place. */
export function dropNulls<T extends JsonValue>(value: T, schema: StructuralNode): T;
export function dropNulls(value: JsonValue, schema: StructuralNode): JsonValue {
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mapItems(value, (item) => dropNulls(item, items));
  }
  if (!isJsonObject(value)) return value;
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const name in value) {
    const given = value[name];
    if (given === undefined || (typeof given !== "object" && given !== null)) continue;
    const entry = schema.entry(name);
    if (entry === undefined) continue;
    if (given === null) {
      if (!entry.nullable && entry.default === undefined) delete (copy ??= { ...value })[name];
      continue;
    }
    const changed = dropNulls(given, entry);
    if (changed !== given) (copy ??= { ...value })[name] = changed;
  }
  return copy ?? value;
}

function defaultFields(object: JsonObject, schema: StructuralNode): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const [name, value, property] of schema.defaulted) {
    const given = Object.hasOwn(object, name) ? object[name] : undefined;
    if (given === undefined || (given === null && !property.nullable)) define((copy ??= { ...object }), name, value);
  }
  const filled = copy ?? object;
  for (const name in filled) {
    const given = filled[name];
    const entry = schema.entry(name);
    if (given === undefined || entry === undefined || !entry.within.defaults) continue;
    const changed = applyDefaults(replaceNull(given, entry), entry);
    if (changed !== given) (copy ??= { ...object })[name] = changed;
  }
  return copy ?? object;
}

function defaultItems(list: JsonArray, items: StructuralNode): JsonArray {
  return items.within.defaults ? mapItems(list, (item) => applyDefaults(replaceNull(item, items), items)) : list;
}

function replaceNull(value: JsonValue, schema: StructuralNode): JsonValue {
  return value === null && !schema.nullable ? (schema.default ?? null) : value;
}

function mapItems(list: JsonArray, change: (item: JsonValue) => JsonValue): JsonArray {
  let copy: JsonValue[] | undefined;
  list.forEach((item, index) => {
    const changed = change(item);
    if (changed !== item) (copy ??= [...list])[index] = changed;
  });
  return copy ?? list;
}

/** Assigning to `__proto__` would change the prototype instead of adding a field. */
function define(object: Record<string, JsonValue | undefined>, name: string, value: JsonValue): void {
  if (name === "__proto__") Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}
