import { isJsonObject, jsonOf, objectAt } from "@kaji/core";
import type { DynamicObject, JsonObject, ManagedFieldsEntry } from "@kaji/core";

/** The fields of an object that a user set, as the server records them; undefined if no user made or changed it. */
export function userFields(object: DynamicObject): JsonObject | undefined {
  // Whoever makes an object without any field manages none.
  return (object.metadata.managedFields ?? []).length === 0 ? {} : recordedFields(object);
}

/** The fields of the status of an object that a user set, as another controller would: a set of one for the status as a whole, or an empty one. */
export function userStatusFields(object: DynamicObject): JsonObject {
  return recordedFields(object, "status") ?? {};
}

/** Whether a user has written fields of an object. */
export function hasUserFields(object: DynamicObject): boolean {
  return recordedFields(object) !== undefined;
}

/** Whether a user has written fields of an object in another version than it is seen in, where they may have other names. */
export function hasFieldsOfOtherVersions(object: DynamicObject): boolean {
  return [...userRecords(object, ""), ...userRecords(object, "status")].some(({ apiVersion }) => apiVersion !== object.apiVersion);
}

function recordedFields(object: DynamicObject, part: "" | "status" = ""): JsonObject | undefined {
  const records = userRecords(object, part).flatMap(({ fieldsV1 }) => (fieldsV1 === undefined ? [] : [jsonOf(fieldsV1)]));
  return records.length === 0 ? undefined : records.reduce(united);
}

/** One for each version that users wrote an object in, or its status. */
function userRecords({ metadata }: DynamicObject, part: "" | "status"): readonly ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []).filter(({ manager, subresource = "" }) => manager === "user" && subresource === part);
}

function united(left: JsonObject, right: JsonObject): JsonObject {
  const entries = Object.entries(right).map(([key, inside]) => {
    const known = left[key];
    return [key, isJsonObject(known) && isJsonObject(inside) ? united(known, inside) : inside] as const;
  });
  return { ...left, ...Object.fromEntries(entries) };
}

/** The finalizers that a user put on an object. */
export function userFinalizers(object: DynamicObject): readonly string[] {
  const { finalizers = [] } = object.metadata;
  if (finalizers.length === 0) return [];
  const set = metadataFields(recordedFields(object) ?? {}, "f:finalizers");
  return finalizers.filter((finalizer) => set[`v:${JSON.stringify(finalizer)}`] !== undefined);
}

/** What of a field of the metadata a user set. */
export function metadataFields(fields: JsonObject, field: string): JsonObject {
  return objectAt(fields, "f:metadata", field);
}
