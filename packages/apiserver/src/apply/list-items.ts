import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { ListForm } from "./merge-schema.ts";
import { keyElement, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** The step from a list that is not atomic to one of its items; undefined for an item that cannot be told from others. */
export function itemElement(list: ListForm, item: JsonValue): PathElement | undefined {
  if (list.relationship === "map") return isJsonObject(item) ? keyedElement(list, item) : undefined;
  return item === null || typeof item === "object" ? undefined : valueElement(item);
}

/** Why an item cannot be told from others, in the words of the real server. */
export function itemProblem(list: ListForm, item: JsonValue): string {
  if (list.relationship === "map") {
    if (item === null) return "associative list with keys may not have a null element";
    if (!isJsonObject(item)) return "associative list with keys may not have non-map elements";
    const names = list.keys.map(({ name }) => quote(name)).join(" ");
    return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
  }
  if (isJsonObject(item)) return "associative list without keys has an element that's a map type";
  if (isJsonArray(item)) return "not supported: associative list with lists as elements";
  return "associative list without keys has an element that's an explicit null";
}

/** The items that share a step: one, or duplicates. */
export type ItemGroup = readonly [JsonValue, ...JsonValue[]];

/** The items of a list by their steps, in order. Items that cannot be told apart are left out. */
export function itemsByElement(list: ListForm, items: JsonArray): ReadonlyMap<PathElement, ItemGroup> {
  const groups = new Map<PathElement, [JsonValue, ...JsonValue[]]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

function keyedElement(list: ListForm, item: JsonObject): PathElement | undefined {
  const keys: Array<readonly [string, JsonValue]> = [];
  for (const { name, default: absent } of list.keys) {
    const own = Object.hasOwn(item, name) ? item[name] : undefined;
    const value = own === undefined ? absent : own;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length === 0) return undefined;
  return keyElement(keys.length === 1 ? keys : keys.sort(([left], [right]) => (left < right ? -1 : 1)));
}
