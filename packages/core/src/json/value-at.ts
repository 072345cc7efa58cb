import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonArray, JsonObject, JsonValue } from "./json.ts";

/** What is in a value at the end of a path of names, in JSON that nobody has checked; undefined where it is not there. */
export function valueAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const name of path) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** The text at the end of a path; what is not there, or is no text, is as good as empty. */
export function textAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The array at the end of a path; what is not there, or is no array, is as good as empty. */
export function arrayAt(value: JsonValue | undefined, ...path: readonly string[]): JsonArray {
  const found = valueAt(value, ...path);
  return isJsonArray(found) ? found : [];
}

/** The object at the end of a path; what is not there, or is no object, is as good as empty. */
export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : {};
}
