import { mapArray, mapFields, ownField } from "../../json/copy-on-write.ts";
import { isJsonArray, isJsonObject } from "../../json/json.ts";
import type { JsonValue } from "../../json/json.ts";
import { malformed } from "./refusals.ts";

/** Says of the object it is in: `replace`, `delete`, or (an error everywhere) `merge`. */
export const patchDirective = "$patch";

/** Lists the fields of the object that remain. */
export const retainKeysDirective = "$retainKeys";

/** `$setElementOrder/<list>` gives the order of the elements of a merged list. */
export const setElementOrderPrefix = "$setElementOrder";

/** `$deleteFromPrimitiveList/<list>` names the primitives that leave a merged list. */
export const deleteFromListPrefix = "$deleteFromPrimitiveList";

/** Which list a parallel list such as `$setElementOrder/containers` is about. */
export function listBeside(key: string, prefix: typeof deleteFromListPrefix | typeof setElementOrderPrefix): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw malformed(prefix === deleteFromListPrefix ? "primitive list" : "setElementOrder list");
}

/** Whether an element of a list only says that the element leaves the list. */
export function isDeletion(element: JsonValue): boolean {
  return isJsonObject(element) && ownField(element, patchDirective) === "delete";
}

/** Whether an element of a list has a `$patch`. */
export function hasDirective(element: JsonValue | undefined): boolean {
  return isJsonObject(element) && ownField(element, patchDirective) !== undefined;
}

/** A value without the objects that have a `$patch`, at any depth; undefined when it is such an object. Other directives stay. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return mapArray(value, withoutDirectives);
  if (!isJsonObject(value)) return value;
  return hasDirective(value) ? undefined : mapFields(value, withoutDirectives);
}
