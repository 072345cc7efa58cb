import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { itemsByElement } from "./list-items.ts";
import { entrySchema, formOf, granularList, granularMap } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema } from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** What a manager that sends this value claims: every leaf, every list item, and every entry that is not a declared field. */
export function toFieldSet(value: JsonValue, schema: MergeSchema): FieldSet {
  return claimsOf(value, schema).difference(FieldSet.leaf);
}

/** Every path of a value, whole objects and lists included: what comes or goes with it. */
export function everyPath(value: JsonValue, schema: MergeSchema): FieldSet {
  const form = formOf(schema, value);
  const map = granularMap(schema, form);
  if (map !== undefined && isJsonObject(value)) return everyEntry(value, map);
  const list = granularList(schema, form);
  return list !== undefined && isJsonArray(value) ? everyItem(value, list) : FieldSet.leaf;
}

function everyEntry(value: JsonObject, map: MapForm): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field !== undefined) children.set(fieldElement(name), everyPath(field, entrySchema(map, name)));
  }
  return FieldSet.whole(children);
}

function everyItem(items: JsonArray, list: ListForm): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, group] of itemsByElement(list, items)) {
    children.set(element, group.length === 1 ? everyPath(group[0], list.element) : FieldSet.leaf);
  }
  return FieldSet.whole(children);
}

function claimsOf(value: JsonValue, schema: MergeSchema): FieldSet {
  const form = formOf(schema, value);
  const map = granularMap(schema, form);
  if (map !== undefined) return isJsonObject(value) ? claimedEntries(value, map) : FieldSet.empty;
  const list = granularList(schema, form);
  if (list !== undefined) return isJsonArray(value) ? claimedItems(value, list) : FieldSet.empty;
  return form === undefined ? FieldSet.empty : FieldSet.leaf;
}

function claimedEntries(value: JsonObject, map: MapForm): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const declared = map.field(name);
    const claims = claimsOf(field, declared ?? entrySchema(map, name));
    const whole = declared === undefined || field === null || (isJsonObject(field) && isEmptyMap(field));
    const child = whole ? claims.union(FieldSet.leaf) : claims;
    if (!child.isEmpty) children.set(fieldElement(name), child);
  }
  return FieldSet.parts(children);
}

function claimedItems(items: JsonArray, list: ListForm): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, group] of itemsByElement(list, items)) {
    const claims = group.length === 1 ? claimsOf(group[0], list.element) : FieldSet.leaf;
    children.set(element, claims.union(FieldSet.leaf));
  }
  return FieldSet.parts(children);
}

function isEmptyMap(map: JsonObject): boolean {
  return Object.keys(map).length === 0;
}
