import { ObjectDraft, mapArray, ownField, shareArray } from "../../json/copy-on-write.ts";
import { isJsonArray, isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { withoutNullFields } from "../null-fields.ts";
import {
  deleteFromListPrefix,
  listBeside,
  patchDirective,
  retainKeysDirective,
  setElementOrderPrefix,
  withoutDirectives,
} from "./directives.ts";
import { arrange, checkOrder } from "./element-order.ts";
import { elementKind } from "./elements.ts";
import { deleteFromList, mergeList } from "./merge-list.ts";
import type { MergeElement, MergedList } from "./merge-list.ts";
import { listField, objectField } from "./patch-schema.ts";
import type { PatchField, PatchType } from "./patch-schema.ts";
import { malformed, unknownDirective, wrongType } from "./refusals.ts";

/**
 * What a patch is merged into: an object, so that its directives are followed and its nulls delete; or another patch, so that they
 * stay in it.
 */
export type MergeTarget = "object" | "patch";

/** Merges a strategic merge patch into an object, or into another patch for it. */
export function mergeObject(object: JsonObject, patch: JsonObject, type: PatchType, target: MergeTarget): JsonObject {
  const directive = ownField(patch, patchDirective);
  if (directive !== undefined) return followDirective(directive, patch);
  const merge = { result: new ObjectDraft(object), patch, type, target };
  retainKeys(merge);
  const ordered = mergeOrderedLists(merge);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    const isDone = key === retainKeysDirective || key.startsWith(setElementOrderPrefix) || ordered.has(key);
    if (!isDone && value !== undefined) mergeField(merge, key, value);
  }
  return merge.result.finish();
}

/** The merge of one object. */
interface Merge {
  readonly result: ObjectDraft;
  readonly patch: JsonObject;
  readonly type: PatchType;
  readonly target: MergeTarget;
}

/** With `replace`, what else is in the patch is taken as it is: directives and nulls inside too. */
function followDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === "delete") return {};
  if (directive !== "replace") throw unknownDirective(directive, patch);
  const replacement = new ObjectDraft(patch);
  replacement.delete(patchDirective);
  return replacement.finish();
}

/** Drops the fields that `$retainKeys` does not list. The patch itself may set none but those. */
function retainKeys({ result, patch, target }: Merge): void {
  const retained = ownField(patch, retainKeysDirective);
  if (retained === undefined) return;
  if (target === "patch") return result.set(retainKeysDirective, retained);
  if (!isJsonArray(retained)) throw malformed("retainKeys");
  const names = new Set(retained);
  for (const key of Object.keys(patch)) {
    const isDirective = key === retainKeysDirective || key.startsWith(deleteFromListPrefix) || key.startsWith(setElementOrderPrefix);
    const isSet = patch[key] !== null && patch[key] !== undefined;
    if (isSet && !isDirective && !names.has(key)) throw malformed("retainKeys");
  }
  for (const key of result.keys()) {
    if (!names.has(key)) result.delete(key);
  }
}

/** Merges the lists for which the patch has a `$setElementOrder`, and names them. */
function mergeOrderedLists(merge: Merge): ReadonlySet<string> {
  const { result, patch, target } = merge;
  const names = new Set<string>();
  for (const key of Object.keys(patch)) {
    const order = patch[key];
    if (order === undefined || !key.startsWith(setElementOrderPrefix)) continue;
    if (target === "patch") result.set(key, order);
    if (!isJsonArray(order)) throw wrongType("[]interface {}", order);
    const name = listBeside(key, setElementOrderPrefix);
    mergeOrderedList(merge, name, order);
    names.add(name);
  }
  return names;
}

function mergeOrderedList({ result, patch, type, target }: Merge, name: string, order: JsonArray): void {
  const live = optionalList(result.get(name));
  const changes = optionalList(ownField(patch, name));
  const field = listField(type, name);
  checkOrder(changes ?? [], order, field.mergeKey);
  if (live === undefined && changes === undefined) return;

  elementKind(live ?? [], changes ?? []);
  const merged = mergeOptionalLists(live, changes, field, target);
  const elements = arrange(merged.elements, { wanted: order, live: merged.live, mergeKey: field.mergeKey });
  result.set(name, shareArray(live ?? [], elements));
}

function mergeOptionalLists(
  live: JsonArray | undefined,
  changes: JsonArray | undefined,
  field: PatchField,
  target: MergeTarget,
): MergedList {
  if (changes === undefined) return { elements: live ?? [], live: live ?? [] };
  if (live === undefined) return { elements: mapArray(changes, withoutDirectives), live: [] };
  return mergeList(live, changes, field, elementMerge(field, target));
}

function mergeField({ result, type, target }: Merge, key: string, value: JsonValue): void {
  const isDeleteList = key.startsWith(deleteFromListPrefix);
  if (isDeleteList && target === "patch") return result.set(key, value);
  const name = isDeleteList ? listBeside(key, deleteFromListPrefix) : key;
  const current = result.get(name);
  if (value === null) {
    if (target === "patch") result.set(name, null);
    else result.delete(name);
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const field = objectField(type, name);
    result.set(name, field.strategy === "replace" ? value : mergeObject(current, value, field.type, target));
  } else if (isJsonArray(current) && isJsonArray(value)) {
    const field = listField(type, name);
    const merge = elementMerge(field, target);
    result.set(name, isDeleteList ? deleteFromList(current, value, field, merge) : mergeList(current, value, field, merge).elements);
  } else if (!isDeleteList) {
    const taken = withoutDirectives(target === "object" ? withoutNullFields(value) : value);
    if (taken === undefined) result.delete(name);
    else result.set(name, taken);
  }
}

function elementMerge(field: PatchField, target: MergeTarget): MergeElement {
  return (element, patch) => mergeObject(element, patch, field.type, target);
}

function optionalList(value: JsonValue | undefined): JsonArray | undefined {
  if (value === undefined || isJsonArray(value)) return value;
  throw wrongType("[]interface {}", value);
}
