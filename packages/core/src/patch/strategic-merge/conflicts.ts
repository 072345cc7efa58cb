import { ownField } from "../../json/copy-on-write.ts";
import { compareGoStrings, formatGo } from "../../go/go-format.ts";
import { isJsonArray, isJsonObject } from "../../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.ts";
import { patchDirective, retainKeysDirective } from "./directives.ts";
import { elementKind } from "./elements.ts";
import { listField, objectField } from "./patch-schema.ts";
import type { PatchField, PatchType } from "./patch-schema.ts";
import { unclassified } from "./refusals.ts";

/** Whether two patches for objects of a type disagree about a field. */
export function haveConflicts(left: JsonObject, right: JsonObject, type: PatchType): boolean {
  return valuesConflict(left, right, { type });
}

function valuesConflict(left: JsonValue, right: JsonValue, field: PatchField): boolean {
  if (isJsonObject(left)) return !isJsonObject(right) || objectsConflict(left, right, field);
  if (isJsonArray(left)) return !isJsonArray(right) || listsConflict(left, right, field);
  return left !== right;
}

/** A `$patch` speaks of the whole object, so both or none must have it. */
function objectsConflict(left: JsonObject, right: JsonObject, { type, strategy }: PatchField): boolean {
  if (ownField(left, patchDirective) !== ownField(right, patchDirective)) return true;
  if (strategy === "replace") return false;
  return Object.keys(left).some((key) => {
    const value = left[key];
    const other = ownField(right, key);
    if (key === patchDirective || key === retainKeysDirective || value === undefined || other === undefined) return false;
    return valuesConflict(value, other, fieldFor(value, key, type));
  });
}

function fieldFor(value: JsonValue, key: string, type: PatchType): PatchField {
  if (isJsonArray(value)) return listField(type, key);
  return isJsonObject(value) ? objectField(type, key) : { type };
}

function listsConflict(left: JsonArray, right: JsonArray, { type, strategy, mergeKey = "" }: PatchField): boolean {
  const kind = elementKind(left, right);
  if (strategy === "merge") {
    // Two sets of primitives can always be merged.
    if (kind === "primitive") return false;
    const others = byKey(right, mergeKey);
    return [...byKey(left, mergeKey)].some(([key, element]) => {
      const other = others.get(key);
      return other !== undefined && valuesConflict(element, other, { type });
    });
  }
  if (left.length !== right.length) return true;
  const [lefts, rights] = kind === "primitive" ? [sortedSet(left), sortedSet(right)] : [left, right];
  return lefts.some((element, index) => {
    const other = rights[index];
    return other === undefined || valuesConflict(element, other, { type });
  });
}

function byKey(list: JsonArray, mergeKey: string): ReadonlyMap<string, JsonObject> {
  return new Map(
    list.filter(isJsonObject).map((element) => {
      const key = ownField(element, mergeKey);
      if (key === undefined) throw unclassified(`cannot find merge key \`${mergeKey}\` in merging list element:${formatGo(element)}`);
      return [formatGo(key), element];
    }),
  );
}

function sortedSet(list: JsonArray): JsonArray {
  return [...new Set(list)].toSorted((left, right) => compareGoStrings(formatGo(left), formatGo(right)));
}
