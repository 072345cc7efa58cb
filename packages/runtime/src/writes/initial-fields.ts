import { isJsonObject, jsonOf } from "@kaji/core";
import type { JsonObject, JsonValue, ManagedFieldsEntry } from "@kaji/core";
import { isApplied } from "./taken-over.ts";

/** The fields that a child begins with, less those that are stated: these are wanted at any time. Undefined if none is left. */
export function unstated(initially: JsonObject, stated: JsonObject): JsonObject | undefined {
  const left: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(initially)) {
    const wanted = stated[name];
    const rest = isJsonObject(value) && isJsonObject(wanted) ? unstated(value, wanted) : wanted === undefined ? value : undefined;
    if (rest !== undefined) left[name] = rest;
  }
  return Object.keys(left).length === 0 ? undefined : left;
}

/** What is stated, and what a child begins with beside it. */
export function together<C extends object>(stated: C, initially: JsonObject): C {
  return merged(jsonOf(stated), initially) as C;
}

function merged(stated: JsonObject, initially: JsonObject): JsonObject {
  const both: Record<string, JsonValue | undefined> = { ...stated };
  for (const [name, value] of Object.entries(initially)) {
    const wanted = both[name];
    both[name] = isJsonObject(wanted) && isJsonObject(value) ? merged(wanted, value) : value;
  }
  return both;
}

/**
 * The record of fields in which these are no longer applied by the manager; undefined if they are not.
 *
 * A field that was applied, and is left out of the next apply, is removed by the server, or gets its default, if nobody else has set it. One that is not in the record stays as it is.
 */
export function letGo(
  managedFields: readonly ManagedFieldsEntry[],
  fieldManager: string,
  initially: JsonObject,
): readonly ManagedFieldsEntry[] | undefined {
  const own = managedFields.find((entry) => isApplied(entry, fieldManager));
  if (own === undefined) return undefined;
  const before = jsonOf(own.fieldsV1 ?? {});
  const fieldsV1 = without(before, initially);
  return fieldsV1 === before ? undefined : managedFields.map((entry) => (entry === own ? { ...own, fieldsV1 } : entry));
}

/** The record (`fieldsV1`) without these fields, and without what has none left; the very same if it has none of them. */
function without(record: JsonObject, fields: JsonObject): JsonObject {
  let left = record;
  for (const [name, value] of Object.entries(fields)) {
    const member = `f:${name}`;
    const inside = record[member];
    if (!isJsonObject(inside)) continue;
    const isWhole = !isJsonObject(value) || Object.keys(inside).length === 0;
    const rest = isWhole ? {} : without(inside, value);
    if (rest === inside && !isWhole) continue;
    const { [member]: _gone, ...others } = left;
    left = Object.keys(rest).length === 0 ? others : { ...others, [member]: rest };
  }
  return left;
}
