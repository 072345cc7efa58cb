import { ownField, shareArray } from "../../json/copy-on-write.ts";
import { isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { patchDirective } from "./directives.ts";
import { arrange } from "./element-order.ts";
import { elementKind, keyOf, positionsOf } from "./elements.ts";
import type { PatchField } from "./patch-schema.ts";
import { unclassified, unknownDirective } from "./refusals.ts";

/** Merges an element of a patch's list into the element of the live list that has the same key. */
export type MergeElement = (element: JsonObject, patch: JsonObject) => JsonObject;

/** The outcome of merging a list. */
export interface MergedList {
  readonly elements: JsonArray;
  /** The live list that a `$setElementOrder` has to respect. */
  readonly live: JsonArray;
}

/** Merges a list into the live one, or lets it take its place, as the field's strategy says. */
export function mergeList(live: JsonArray, patch: JsonArray, field: PatchField, merge: MergeElement): MergedList {
  if (field.strategy !== "merge") return { elements: patch, live };
  return mergeElements(live, patch, field, merge);
}

/** Takes primitives out of a list. Objects cannot be taken out this way: Kubernetes merges them instead. */
export function deleteFromList(live: JsonArray, doomed: JsonArray, field: PatchField, merge: MergeElement): JsonArray {
  if (live.length === 0 && doomed.length === 0) return live;
  if (elementKind(live, doomed) === "object") return mergeElements(live, doomed, field, merge).elements;
  const deleted = new Set(doomed);
  return shareArray(
    live,
    live.filter((element) => !deleted.has(element)),
  );
}

function mergeElements(live: JsonArray, patch: JsonArray, field: PatchField, merge: MergeElement): MergedList {
  if (live.length === 0 && patch.length === 0) return { elements: live, live };
  if (elementKind(live, patch) === "object") return mergeObjects(live.filter(isJsonObject), patch.filter(isJsonObject), field, merge);
  const union = [...new Set([...live, ...patch])];
  const elements = arrange(union, { wanted: patch, live, mergeKey: field.mergeKey });
  return { elements: shareArray(live, elements), live };
}

function mergeObjects(live: readonly JsonObject[], patch: readonly JsonObject[], field: PatchField, merge: MergeElement): MergedList {
  const { mergeKey, type } = field;
  if (mergeKey === undefined) {
    throw unclassified(`cannot merge lists without merge key for ${typeof type === "string" ? type : "struct"}`);
  }
  const { kept, changes } = followDirectives(live, patch, mergeKey);
  const merged = [...kept];
  const positions = positionsOf(kept, mergeKey);
  for (const change of changes) {
    const key = keyOf(change, mergeKey);
    const position = positions.get(key) ?? merged.length;
    const element = merged[position];
    merged[position] = element === undefined ? change : merge(element, change);
    positions.set(key, position);
  }
  const elements = arrange(merged, { wanted: changes, live: kept, mergeKey });
  // Kubernetes merges in place and then takes as many elements for the live list as that had: new ones move up for those deleted.
  return { elements: shareArray(live, elements), live: merged.slice(0, live.length) };
}

/** Follows the elements with a `$patch`: the live elements that are kept, and the elements that remain to be merged into them. */
function followDirectives(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly kept: readonly JsonObject[]; readonly changes: readonly JsonObject[] } {
  const changes: JsonObject[] = [];
  const deleted = new Set<JsonValue | undefined>();
  let replace = false;
  for (const element of patch) {
    const directive = ownField(element, patchDirective);
    if (directive === undefined) changes.push(element);
    else if (directive === "delete") deleted.add(keyOf(element, mergeKey));
    else if (directive === "replace") replace = true;
    else if (directive === "merge") throw unclassified("merging lists cannot yet be specified in the patch");
    else throw unknownDirective(directive, element);
  }
  if (replace) return { kept: changes, changes: [] };
  return { kept: live.filter((element) => !deleted.has(ownField(element, mergeKey))), changes };
}
