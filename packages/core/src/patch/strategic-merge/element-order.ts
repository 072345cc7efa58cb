import { ownField } from "../../json/copy-on-write.ts";
import { formatGo } from "../../go/go-format.ts";
import { isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { hasDirective, isDeletion, setElementOrderPrefix } from "./directives.ts";
import { keyOf, positionsOf } from "./elements.ts";
import { unclassified, wrongType } from "./refusals.ts";

/** What decides the order of a merged list. */
export interface ElementOrder {
  /** The order that the patch wants. */
  readonly wanted: JsonArray;
  /** The order in the live list, for elements of which the patch says nothing. */
  readonly live: JsonArray;
  readonly mergeKey: string | undefined;
}

/**
 * Orders the elements of a merged list: those that the patch names as it wants them, the others as they are in the live list,
 * and each of these before the first named one that it also precedes there.
 */
export function arrange(merged: JsonArray, { wanted, live, mergeKey }: ElementOrder): JsonArray {
  const isWanted = memberOf(wanted, mergeKey);
  const { named = [], others = [] } = Object.groupBy(merged, (element) => (isWanted(element) ? "named" : "others"));
  const positions = positionsOf(live, mergeKey);
  // NaN, for what is not in the live list, precedes nothing.
  const positionOf = (element: JsonValue): number => positions.get(keyOf(element, mergeKey)) ?? Number.NaN;

  const result: JsonValue[] = [];
  const rest = sortLike(others, live, mergeKey).values();
  let other = rest.next();
  for (const element of sortLike(named, wanted, mergeKey)) {
    for (; other.done !== true && positionOf(other.value) < positionOf(element); other = rest.next()) result.push(other.value);
    result.push(element);
  }
  for (; other.done !== true; other = rest.next()) result.push(other.value);
  return result;
}

/** Sorts elements as they are in another list. What is not in it comes behind, and deletions last. */
export function sortLike(elements: JsonArray, order: JsonArray, mergeKey: string | undefined): JsonArray {
  const positions = positionsOf(order, mergeKey);
  const positionOf = (element: JsonValue): number => {
    const position = positions.get(keyOf(element, mergeKey)) ?? order.length;
    return isDeletion(element) ? order.length + 1 : position;
  };
  return elements
    .map((element) => ({ element, position: positionOf(element) }))
    .toSorted((left, right) => left.position - right.position)
    .map(({ element }) => element);
}

/** Checks that a `$setElementOrder` has all elements of the patch's list, in the same order. Deletions need no place. */
export function checkOrder(list: JsonArray, order: JsonArray, mergeKey: string | undefined): void {
  if (list.length === 0 || order.length === 0) return;
  const elements = mergeKey === undefined ? list : list.filter((element) => !isDeletion(requireObject(element)));
  let position = 0;
  for (const wanted of order) {
    while (hasDirective(elements[position])) position += 1;
    const element = elements[position];
    if (element === undefined) return;
    if (keyOf(element, mergeKey) === keyOf(wanted, mergeKey)) position += 1;
  }
  if (position === elements.length) return;
  throw unclassified(`The order in patch list:\n${formatGo(list)}\n doesn't match ${setElementOrderPrefix} list:\n${formatGo(order)}\n`);
}

/** Whether elements have a counterpart in a list of the patch, whose elements may be anything. */
function memberOf(list: JsonArray, mergeKey: string | undefined): (element: JsonValue) => boolean {
  const stray = mergeKey === undefined ? -1 : list.findIndex((element) => !isJsonObject(element));
  const keys = new Set(mergeKey === undefined ? list : list.filter(isJsonObject).map((element) => ownField(element, mergeKey)));
  return (element) => {
    const key = keyOf(element, mergeKey);
    if (stray >= 0) throw unclassified(`value for key ${stray} is not a map`);
    return keys.has(key);
  };
}

function requireObject(element: JsonValue): JsonObject {
  if (isJsonObject(element)) return element;
  throw wrongType("map[string]interface {}", element);
}
