import { ownField } from "../../json/copy-on-write.ts";
import { formatGo, goType } from "../../go/go-format.ts";
import { isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonValue } from "../../json/json.ts";
import { PatchError } from "../patch-error.ts";
import { noMergeKey, unclassified, wrongType } from "./refusals.ts";

/** What all elements of a merged list are. */
export type ElementKind = "object" | "primitive";

/** The kind that all elements of these lists have in common; there must be at least one. */
export function elementKind(...lists: readonly JsonArray[]): ElementKind {
  const types = new Set(lists.flatMap((list) => list.map(goType)));
  const [first] = types;
  if (first === undefined) throw unclassified("no elements in any of the given slices");
  if (first === "[]interface {}") throw new PatchError("Invalid", "lists of lists are not supported");
  if (types.size > 1) throw unclassified(`list element types are not identical: ${formatGo(lists)}`);
  return first === "map[string]interface {}" ? "object" : "primitive";
}

/** What tells an element from the others: the value of its merge key, or itself in a list that has none. */
export function keyOf(element: JsonValue, mergeKey: string | undefined): JsonValue {
  if (mergeKey === undefined) return element;
  if (!isJsonObject(element)) throw wrongType("map[string]interface {}", element);
  const key = ownField(element, mergeKey);
  if (key === undefined) throw noMergeKey(element, mergeKey);
  return key;
}

/** Where each key comes first in a list. */
export function positionsOf(list: JsonArray, mergeKey: string | undefined): Map<JsonValue, number> {
  const positions = new Map<JsonValue, number>();
  for (const [position, element] of list.entries()) {
    const key = keyOf(element, mergeKey);
    if (!positions.has(key)) positions.set(key, position);
  }
  return positions;
}
