import { isEmpty, ownField } from "../../json/copy-on-write.ts";
import { compareGoStrings, formatGo } from "../../go/go-format.ts";
import { isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { structuralEqual } from "../../json/structural-equal.ts";
import { patchDirective } from "./directives.ts";
import { sortLike } from "./element-order.ts";
import { elementKind, keyOf } from "./elements.ts";

/** Which differences a patch tells. */
export interface DiffScope {
  readonly additions: boolean;
  readonly deletions: boolean;
  /** Whether lists whose content or order changes get a `$setElementOrder`. */
  readonly order: boolean;
}

/** How two merged lists differ. What is empty is not part of the patch. */
export interface ListDiff {
  /** The value of the list in the patch. */
  readonly changes: JsonArray;
  /** Its `$deleteFromPrimitiveList`. */
  readonly deletions: JsonArray;
  /** Its `$setElementOrder`. */
  readonly order: JsonArray;
}

/** The patch that turns an element into another of the same key; empty when they are equal. */
export type DiffElement = (before: JsonObject, after: JsonObject) => JsonObject;

/** How to compare two merged lists. */
export interface ListDiffOptions {
  readonly mergeKey: string | undefined;
  readonly scope: DiffScope;
  readonly diffElement: DiffElement;
}

/** The difference of two lists whose elements are merged. */
export function diffList(before: JsonArray, after: JsonArray, options: ListDiffOptions): ListDiff {
  const { scope } = options;
  if (before.length === 0) return { changes: scope.additions ? after : [], deletions: [], order: [] };
  if (elementKind(before, after) === "primitive") return diffPrimitives(before, after, scope);
  return diffObjects(before.filter(isJsonObject), after.filter(isJsonObject), options);
}

function diffPrimitives(before: JsonArray, after: JsonArray, scope: DiffScope): ListDiff {
  const changes = scope.additions ? sortLike(subtract(after, before), after, undefined) : [];
  const deletions = scope.deletions ? [...new Set(subtract(before, after))].toSorted(compareText) : [];
  // Kubernetes sorts the old list before it looks whether the order has changed.
  const differs = scope.additions && !structuralEqual(before.toSorted(compareText), after);
  return { changes, deletions, order: scope.order && (differs || deletions.length > 0) ? after : [] };
}

function diffObjects(before: readonly JsonObject[], after: readonly JsonObject[], options: ListDiffOptions): ListDiff {
  const { mergeKey = "", scope, diffElement } = options;
  const changed: JsonObject[] = [];
  const deleted: JsonObject[] = [];
  for (const { old, wanted } of pairs(before, after, mergeKey)) {
    if (wanted === undefined) {
      if (scope.deletions && old !== undefined) deleted.push(withKey({ [patchDirective]: "delete" }, mergeKey, old));
    } else if (old === undefined) {
      if (scope.additions) changed.push(wanted);
    } else {
      const patch = diffElement(old, wanted);
      if (!isEmpty(patch)) changed.push(withKey(patch, mergeKey, wanted));
    }
  }
  const changes = [...sortLike(changed, after, mergeKey), ...deleted];
  const differs = changes.length > 0 || (scope.additions && !isSameOrder(before, after, mergeKey));
  const order = scope.order && differs ? after.map((element) => withKey({}, mergeKey, element)) : [];
  return { changes, deletions: [], order };
}

/** The elements of two lists by their keys: in both, or in one only. */
function* pairs(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  mergeKey: string,
): Generator<{ readonly old: JsonObject | undefined; readonly wanted: JsonObject | undefined }> {
  const olds = sortByKey(before, mergeKey);
  const wanteds = sortByKey(after, mergeKey);
  while (olds.length > 0 || wanteds.length > 0) {
    const comparison = compareHeads(olds.at(-1), wanteds.at(-1));
    const old = comparison <= 0 ? olds.pop() : undefined;
    const wanted = comparison >= 0 ? wanteds.pop() : undefined;
    yield { old: old?.element, wanted: wanted?.element };
  }
}

interface Keyed {
  readonly text: string;
  readonly element: JsonObject;
}

/** Last key first, to be taken from the end. Of elements with the same key, the last is therefore taken first, as in Kubernetes. */
function sortByKey(elements: readonly JsonObject[], mergeKey: string): Keyed[] {
  return elements
    .map((element) => ({ text: formatGo(keyOf(element, mergeKey)), element }))
    .toSorted((left, right) => compareGoStrings(right.text, left.text));
}

function compareHeads(old: Keyed | undefined, wanted: Keyed | undefined): number {
  if (old === undefined) return 1;
  return wanted === undefined ? -1 : compareGoStrings(old.text, wanted.text);
}

function isSameOrder(before: readonly JsonObject[], after: readonly JsonObject[], mergeKey: string): boolean {
  const keys = after.map((element) => ownField(element, mergeKey));
  return before.length === keys.length && before.every((element, index) => ownField(element, mergeKey) === keys[index]);
}

/** An object with the merge key of an element. */
function withKey(object: JsonObject, mergeKey: string, element: JsonObject): JsonObject {
  return { ...object, [mergeKey]: keyOf(element, mergeKey) };
}

/** The items of a list less those of another, each as often as it is there. */
function subtract(list: JsonArray, other: JsonArray): JsonArray {
  const counts = new Map<JsonValue, number>();
  for (const item of other) counts.set(item, (counts.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const count = counts.get(item) ?? 0;
    counts.set(item, count - 1);
    return count <= 0;
  });
}

function compareText(left: JsonValue, right: JsonValue): number {
  return compareGoStrings(formatGo(left), formatGo(right));
}
