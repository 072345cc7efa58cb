import { jsonOf, objectOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { field, has, objectsField, optionalObject } from "./json-fields.ts";

/** Fills in the fields that are absent or empty texts: what Go takes for unset where a field is no pointer. */
export function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  return filled(object, defaults, (name) => (field(object, name) ?? "") === "");
}

/** Fills in the fields that are absent or zero. */
export function withZeroDefaults(object: JsonObject, defaults: Readonly<Record<string, number>>): JsonObject {
  return filled(object, defaults, (name) => (field(object, name) ?? 0) === 0);
}

/** Fills in fields that are absent; unlike for other texts, an empty one counts as given. */
export function withPresence(object: JsonObject, defaults: JsonObject): JsonObject {
  return filled(object, defaults, (name) => !has(object, name));
}

/** Changes an object in a field, where it is there. */
export function mapField(object: JsonObject, name: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = optionalObject(object, name);
  return value === undefined ? object : withField(object, name, change(value));
}

/** Changes every object of a list, where it is there. */
export function mapItems(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const items = objectsField(object, name);
  if (items.length === 0) return object;
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? object : withField(object, name, changed);
}

/** Changes the `spec`, or another object, of an API object; one that is absent is changed as if it were empty. */
export function mapPart(object: DynamicObject, name: string, change: (part: JsonObject) => JsonObject): DynamicObject {
  return { ...object, [name]: change(optionalObject(object, name) ?? {}) };
}

/** Changes the fields of an API object that lie beside its `metadata`. */
export function mapFields(object: DynamicObject, change: (fields: JsonObject) => JsonObject): DynamicObject {
  return objectOf(change(jsonOf(object)));
}

/** The object with a field set. */
export function withField(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return object[name] === value ? object : { ...object, [name]: value };
}

/** The object without some fields. */
export function withoutFields<T extends object>(object: T, ...names: readonly string[]): T {
  const kept = Object.entries(object).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as T;
}

/** Most objects miss little: nothing is made for those that miss nothing. */
function filled(object: JsonObject, defaults: JsonObject, isMissing: (name: string) => boolean): JsonObject {
  let result: Record<string, JsonValue | undefined> | undefined;
  for (const name of Object.keys(defaults)) if (isMissing(name)) (result ??= { ...object })[name] = defaults[name];
  return result ?? object;
}
