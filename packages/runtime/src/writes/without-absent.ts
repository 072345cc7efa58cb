import { isJsonArray, isJsonObject, mapArray, mapFields } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** A configuration without what is undefined or null in it: absent fields are absent, so that nothing is owned by accident. The very same where there is nothing to remove. */
export function withoutAbsent<C>(config: C): C {
  const value = config as JsonValue;
  // Most have nothing to remove, and to see that takes half as long as to find it out by removing.
  return (isComplete(value) ? value : cleaned(value)) as C;
}

function isComplete(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.every((item) => isComplete(item));
  return !isJsonObject(value) || Object.values(value).every((field) => field !== undefined && field !== null && isComplete(field));
}

function cleaned(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return mapArray(value, cleaned);
  return isJsonObject(value) ? mapFields(value, (field) => (field === null ? undefined : cleaned(field))) : value;
}
