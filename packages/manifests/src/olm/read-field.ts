import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";

/** A value within an object that an author may have written by hand; undefined where it is not there. */
export function valueAt(object: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value = object;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** A text within an object; what is not there, or is no text, is as good as empty. */
export function textAt(object: JsonValue | undefined, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === "string" ? value : "";
}

/** A list within an object; what is not there, or is no list, is as good as empty. */
export function listAt(object: JsonValue | undefined, ...path: readonly string[]): JsonArray {
  const value = valueAt(object, ...path);
  return isJsonArray(value) ? value : [];
}

/** An object within an object; what is not there, or is no object, is as good as empty. */
export function objectAt(object: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const value = valueAt(object, ...path);
  return isJsonObject(value) ? value : {};
}
