import { isJsonObject, jsonOf, objectAt, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import type { Change } from "../simulation/world-state.ts";
import { hasFieldsOfOtherVersions, userFields, userStatusFields } from "./user-fields.ts";

/** What users last wrote into fields that others have written over since, by the uid of the object: it is still what they want. */
export class OverwrittenFields {
  readonly #byUid = new Map<string, JsonObject>();

  see({ type, object, previous }: Change): void {
    if (type !== "Changed" || previous === undefined) return;
    const { "f:metadata": _metadata, ...written } = writtenFields(previous);
    if (Object.keys(written).length === 0) return;
    const lost = lostFields(written, writtenFields(object), jsonOf(previous), jsonOf(object));
    const { uid = "" } = object.metadata;
    if (hasFieldsOfOtherVersions(object)) this.#byUid.delete(uid);
    else if (Object.keys(lost).length > 0) this.#byUid.set(uid, overlaid(this.#byUid.get(uid) ?? {}, lost));
  }

  /** As it is at this moment. */
  get byUid(): ReadonlyMap<string, JsonObject> {
    return new Map(this.#byUid);
  }
}

/** An object with the values that users wrote in place of those that were written over them, but for fields that are theirs again. */
export function asUsersWroteIt(object: DynamicObject, overwritten: JsonObject): JsonObject {
  return overlaid(jsonOf(object), overwritten, writtenFields(object));
}

/** With those of the status. */
function writtenFields(object: DynamicObject): JsonObject {
  return { ...userFields(object), ...userStatusFields(object) };
}

/** The values of fields that were a user's, are so no longer, and have another value. Of one that is gone nobody knows who has removed it. */
function lostFields(before: JsonObject, now: JsonObject, was: JsonObject, is: JsonObject): JsonObject {
  const lost: Record<string, JsonValue> = {};
  for (const [key, inside] of Object.entries(before)) {
    const name = key.slice("f:".length);
    const [old, present, own] = [was[name], is[name], now[key]];
    if (!key.startsWith("f:") || old === undefined || present === undefined || structuralEqual(old, present)) continue;
    if (isJsonObject(old) && isJsonObject(present) && isJsonObject(inside)) {
      const inner = lostFields(inside, objectAt(own), old, present);
      if (Object.keys(inner).length > 0) lost[name] = inner;
    } else if (own === undefined) {
      lost[name] = old;
    }
  }
  return lost;
}

function overlaid(below: JsonObject, above: JsonObject, kept: JsonObject = {}): JsonObject {
  const entries = Object.entries(above).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
    if (value === undefined) return [];
    const [present, own] = [below[name], kept[`f:${name}`]];
    if (isJsonObject(value) && isJsonObject(present)) return [[name, overlaid(present, value, objectAt(own))]];
    return own === undefined ? [[name, value]] : [];
  });
  return { ...below, ...Object.fromEntries(entries) };
}
