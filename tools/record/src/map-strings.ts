import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** A copy of a value in which every text is changed, keys of objects included. */
export function mapStrings(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (isJsonArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), item === undefined ? item : mapStrings(item, change)]),
  );
}
