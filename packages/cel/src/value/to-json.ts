import type { JsonValue } from "@kaji/core";
import { durationText } from "./go-text.ts";
import { itemsOf } from "./list-value.ts";
import { formatTimestamp } from "./timestamp.ts";
import { ErrorValue, isError, typeNameOf } from "./value.ts";
import type { Int, ListValue, MapValue, Value } from "./value.ts";

/** A value as JSON, as cel-go makes it of one; an error for what there is no JSON of. */
export function toJson(value: Value): JsonValue | ErrorValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value !== "object") return wholeNumber(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  switch (value.kind) {
    case "double":
      return value.value;
    case "uint":
      return wholeNumber(value.value);
    case "timestamp":
      return formatTimestamp(value);
    case "duration":
      return durationText(value.nanos);
    case "optional":
      return value.value === undefined ? null : toJson(value.value);
    case "list":
      return listJson(value);
    case "map":
      return mapJson(value);
    case "error":
      return value;
    case "type":
    case "opaque":
      return new ErrorValue(`there is no JSON of type '${typeNameOf(value)}'`);
    default:
      return value satisfies never;
  }
}

/** An integer that a double cannot hold exactly is written as text. */
function wholeNumber(value: Int): JsonValue {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function listJson(list: ListValue): JsonValue | ErrorValue {
  const items: JsonValue[] = [];
  for (const item of itemsOf(list)) {
    const json = toJson(item);
    if (isError(json)) return json;
    items.push(json);
  }
  return items;
}

function mapJson(map: MapValue): JsonValue | ErrorValue {
  const entries: [string, JsonValue][] = [];
  for (const key of map.keys()) {
    const json = toJson(map.find(key) ?? null);
    if (isError(json)) return json;
    if (typeof key !== "string") return new ErrorValue(`there is no JSON of a map with keys of type '${typeNameOf(key)}'`);
    entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}
