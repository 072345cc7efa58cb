import { isJsonObject, jsonOf } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";

/** The fields of an object that a user set, as the server records them; undefined if no user made or changed it. */
export function userFields(object: DynamicObject): JsonObject | undefined {
  // Whoever makes an object without any field manages none.
  return (object.metadata.managedFields ?? []).length === 0 ? {} : recordedFields(object);
}

/** Whether a user has written fields of an object. */
export function hasUserFields(object: DynamicObject): boolean {
  return recordedFields(object) !== undefined;
}

function recordedFields({ metadata }: DynamicObject): JsonObject | undefined {
  const entry = metadata.managedFields?.find(({ manager, subresource }) => manager === "user" && (subresource ?? "") === "");
  return entry?.fieldsV1 === undefined ? undefined : jsonOf(entry.fieldsV1);
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
  const metadata = fields["f:metadata"];
  const set = metadata !== undefined && isJsonObject(metadata) ? metadata[field] : undefined;
  return set !== undefined && isJsonObject(set) ? set : {};
}
