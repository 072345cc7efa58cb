import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { entrySchema, formOf, granularList, granularMap } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema } from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

/**
 * A value without the entries and items at these paths. An object or list that loses all it has, or is atomic and
 * loses a part, becomes null. Parts that lose nothing are the very same parts.
 */
export function removeItems(value: JsonValue, paths: FieldSet, schema: MergeSchema): JsonValue {
  const form = formOf(schema, value);
  if (form === "scalar") return value;
  const map = granularMap(schema, form);
  if (map !== undefined && isJsonObject(value)) return removeEntries(value, paths, map);
  const list = granularList(schema, form);
  return list !== undefined && isJsonArray(value) ? removeListItems(value, paths, list) : null;
}

function removeEntries(value: JsonObject, paths: FieldSet, map: MapForm): JsonValue {
  const kept: Array<readonly [string, JsonValue]> = [];
  let changed = false;
  for (const name of Object.keys(value)) {
    const before = value[name];
    if (before === undefined) continue;
    const below = paths.children.get(fieldElement(name));
    const after = below === undefined || below.member ? before : removeItems(before, below, entrySchema(map, name));
    changed ||= below?.member === true || after !== before;
    if (below?.member !== true) kept.push([name, after]);
  }
  if (kept.length === 0) return null;
  return changed ? Object.fromEntries(kept) : value;
}

function removeListItems(value: JsonArray, paths: FieldSet, list: ListForm): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    const below = element === undefined ? undefined : paths.children.get(element);
    if (below?.member !== true) kept.push(below === undefined ? item : removeItems(item, below, list.element));
  }
  if (kept.length === 0) return null;
  return kept.length === value.length && kept.every((item, index) => item === value[index]) ? value : kept;
}
