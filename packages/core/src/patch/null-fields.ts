import { mapArray, mapFields } from "../json/copy-on-write.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonValue } from "../json/json.ts";

/** A value without the fields that are null, at any depth. Nulls that are elements of arrays stay. */
export function withoutNullFields(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return mapArray(value, withoutNullFields);
  return isJsonObject(value) ? mapFields(value, (field) => (field === null ? undefined : withoutNullFields(field))) : value;
}
