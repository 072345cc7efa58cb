import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";

/** An object whose types the schema has checked already: its fields are read as Go would, what is absent being zero. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field as it is; undefined when it is absent or null. */
export function field(parent: Fields | undefined, name: string): JsonValue | undefined {
  const value = parent !== undefined && Object.hasOwn(parent, name) ? parent[name] : undefined;
  return value === null ? undefined : (value as JsonValue | undefined);
}

/** Whether a field is there, which for a Go pointer means that it is not nil. */
export function has(parent: Fields | undefined, name: string): boolean {
  return field(parent, name) !== undefined;
}

/** A text; empty when it is absent. */
export function stringField(parent: Fields | undefined, name: string): string {
  const value = field(parent, name);
  return typeof value === "string" ? value : "";
}

/** A number; undefined when it is absent. */
export function numberField(parent: Fields | undefined, name: string): number | undefined {
  const value = field(parent, name);
  return typeof value === "bigint" ? Number(value) : typeof value === "number" ? value : undefined;
}

/** A truth value; false when it is absent. */
export function booleanField(parent: Fields | undefined, name: string): boolean {
  return field(parent, name) === true;
}

/** An object; empty when it is absent. */
export function objectField(parent: Fields | undefined, name: string): JsonObject {
  return optionalObject(parent, name) ?? {};
}

/** The `spec` of an object; empty when it is absent. */
export function specOf(object: Fields): JsonObject {
  return objectField(object, "spec");
}

/** An object; undefined when it is absent. */
export function optionalObject(parent: Fields | undefined, name: string): JsonObject | undefined {
  const value = field(parent, name);
  return isJsonObject(value) ? value : undefined;
}

/** A list; empty when it is absent. */
export function listField(parent: Fields | undefined, name: string): readonly JsonValue[] {
  const value = field(parent, name);
  return isJsonArray(value) ? value : [];
}

/** A list of objects; empty when it is absent. */
export function objectsField(parent: Fields | undefined, name: string): readonly JsonObject[] {
  const items = listField(parent, name);
  return items.every((item) => isJsonObject(item)) ? items : items.map((item) => (isJsonObject(item) ? item : {}));
}

/** A list of texts; empty when it is absent. */
export function stringsField(parent: Fields | undefined, name: string): readonly string[] {
  return listField(parent, name).filter((item) => typeof item === "string");
}

/** A map from text to text; empty when it is absent. */
export function stringMapField(parent: Fields | undefined, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectField(parent, name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
