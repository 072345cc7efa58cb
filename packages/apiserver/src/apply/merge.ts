import { isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { itemElement, itemsByElement } from "./list-items.ts";
import type { ItemGroup } from "./list-items.ts";
import { entrySchema, formOf, granularList, granularMap } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema } from "./merge-schema.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Lays a configuration over a value: what the configuration names takes its value, everything else stays. Nothing is removed.
 * Parts that end up as they were are the very same parts.
 */
export function merge(live: JsonValue, config: JsonValue, schema: MergeSchema): JsonValue {
  if (live === config) return live;
  const form = formOf(schema, config);
  const map = granularMap(schema, form);
  const list = granularList(schema, form);
  // A configuration that is empty or null says nothing about entries and items: those there are stay.
  if (map !== undefined && isJsonObject(live)) {
    if (isJsonObject(config)) return mergeEntries(live, config, map);
    if (Object.keys(live).length > 0) return live;
  }
  if (list !== undefined && isJsonArray(live)) {
    if (isJsonArray(config)) return mergeItems(live, config, list);
    if (live.length > 0) return live;
  }
  return structuralEqual(live, config) ? live : config;
}

function mergeEntries(live: JsonObject, config: JsonObject, map: MapForm): JsonObject {
  const changes: Array<readonly [string, JsonValue]> = [];
  for (const name of Object.keys(config)) {
    const wanted = config[name];
    if (wanted === undefined) continue;
    const before = Object.hasOwn(live, name) ? live[name] : undefined;
    const after = before === undefined ? wanted : merge(before, wanted, entrySchema(map, name));
    if (after !== before) changes.push([name, after]);
  }
  // Object.fromEntries, unlike assignment, makes a plain field of `__proto__`.
  return changes.length === 0 ? live : { ...live, ...Object.fromEntries(changes) };
}

/**
 * Items come in the order of the configuration; live items that it does not name keep their place among their neighbours.
 * Live duplicates of an item that it names give way to that one item.
 */
function mergeItems(live: JsonArray, config: JsonArray, list: ListForm): JsonArray {
  const groups = itemsByElement(list, live);
  const present = live.map((value) => ({ value, element: itemElement(list, value) }));
  const wanted = config.map((value) => ({ value, element: itemElement(list, value) }));
  const named = new Set(wanted.map(({ element }) => element));
  const shared = wanted.flatMap(({ element }) => (element !== undefined && groups.has(element) ? [element] : []));
  const merged: JsonValue[] = [];
  let l = 0;
  let w = 0;
  let s = 0;
  while (l < present.length || w < wanted.length) {
    const old = present[l];
    const next = wanted[w];
    const awaited = shared[s];
    if (old !== undefined && !named.has(old.element)) {
      merged.push(old.value);
      l++;
    } else if (
      next === undefined ||
      (old !== undefined && awaited !== undefined && old.element !== next.element && old.element !== awaited)
    ) {
      // Named by the configuration, and merged where it stands there: before or after, but not here.
      l++;
    } else {
      merged.push(mergeItem(groups, next, list.element));
      if (old?.element === next.element || awaited === undefined) l++;
      if (awaited === next.element) s++;
      w++;
    }
  }
  return merged.length === live.length && merged.every((item, index) => item === live[index]) ? live : merged;
}

interface Item {
  readonly value: JsonValue;
  readonly element: PathElement | undefined;
}

function mergeItem(groups: ReadonlyMap<PathElement, ItemGroup>, { value, element }: Item, schema: MergeSchema): JsonValue {
  const group = element === undefined ? undefined : groups.get(element);
  return group?.length === 1 ? merge(group[0], value, schema) : value;
}
