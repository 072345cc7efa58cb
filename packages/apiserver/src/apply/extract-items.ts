import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-items.ts";
import { entrySchema, formOf, granularList, granularMap } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema } from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

/**
 * A value with nothing but what is at these paths: from an object and what a manager owns of it, the configuration they
 * may have applied. Items of lists keep the fields that identify them. Nothing at all is null.
 */
export function extractItems(value: JsonValue, paths: FieldSet, schema: MergeSchema): JsonValue {
  const form = formOf(schema, value);
  const map = granularMap(schema, form);
  if (map !== undefined && isJsonObject(value) && Object.keys(value).length > 0) return extractEntries(value, paths, map);
  const list = granularList(schema, form);
  return list !== undefined && isJsonArray(value) && value.length > 0 ? extractListItems(value, paths, list) : value;
}

function extractEntries(value: JsonObject, paths: FieldSet, map: MapForm): JsonValue {
  const extracted: Array<readonly [string, JsonValue]> = [];
  for (const name of Object.keys(value)) {
    const field = value[name];
    const below = paths.children.get(fieldElement(name));
    if (below !== undefined && field !== undefined) extracted.push([name, extractItems(field, below, entrySchema(map, name))]);
  }
  return extracted.length === 0 ? null : Object.fromEntries(extracted);
}

function extractListItems(value: JsonArray, paths: FieldSet, list: ListForm): JsonValue {
  const identity = FieldSet.ofFields(...list.keys.map(({ name }) => [name]));
  const extracted: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    const below = element === undefined ? undefined : paths.children.get(element);
    if (below !== undefined)
      extracted.push(below.children.size === 0 && list.keys.length === 0 ? item : extractItems(item, below.union(identity), list.element));
  }
  return extracted.length === 0 ? null : extracted;
}
