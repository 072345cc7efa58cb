import { ObjectDraft, isEmpty, ownField } from "../json/copy-on-write.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { withoutNullFields } from "./null-fields.ts";
import { PatchError } from "./patch-error.ts";
import { structuralEqual } from "../json/structural-equal.ts";

/**
 * Applies a JSON merge patch (RFC 7386) and returns the new document, which shares with the old one what did not change.
 * Beyond the RFC, and as in the kube-apiserver, fields that are null are also dropped inside arrays which the patch brings.
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject;
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue;
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (document === null) throw new PatchError("", "Invalid JSON Document");
  if (isJsonArray(patch)) return withoutNullFields(patch);
  if (!isJsonObject(patch)) throw new PatchError("BadRequest", "Invalid JSON Patch");
  return mergeObject(isJsonObject(document) ? document : {}, patch);
}

/** The JSON merge patch that turns one object into another. A null in the other cannot be expressed: applied, it removes the field. */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch = new ObjectDraft({});
  for (const key of Object.keys(to)) {
    const before = ownField(from, key);
    const after = to[key];
    if (after === undefined) continue;
    if (isJsonObject(before) && isJsonObject(after)) {
      const nested = createMergePatch(before, after);
      if (!isEmpty(nested)) patch.set(key, nested);
    } else if (!structuralEqual(before, after)) {
      patch.set(key, after);
    }
  }
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && ownField(to, key) === undefined) patch.set(key, null);
  }
  return patch.finish();
}

function mergeObject(object: JsonObject, patch: JsonObject): JsonObject {
  const result = new ObjectDraft(object);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) result.delete(key);
    else if (value !== undefined) result.set(key, mergeValue(result.get(key), value));
  }
  return result.finish();
}

function mergeValue(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (isJsonObject(patch)) return mergeObject(isJsonObject(current) ? current : {}, patch);
  // The library of the kube-apiserver forgets the nulls in an array that takes the place of an object.
  return isJsonObject(current) ? patch : withoutNullFields(patch);
}
