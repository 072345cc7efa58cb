import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** The same value with the fields of all objects in order of their names, which is how the real server prints and compares them. */
export function sortedJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortedJson);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, sortedJson(value[name])]])));
}
