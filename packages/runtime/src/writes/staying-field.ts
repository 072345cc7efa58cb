import { isJsonObject, jsonOf } from "@kaji/core";
import type { JsonObject, KubeObject, ManagedFieldsEntry } from "@kaji/core";
import { isApplied } from "./taken-over.ts";

/** A field that is not applied any more, and that is still in the object since another manager has set it too. */
export interface StayingField {
  readonly field: string;
  readonly manager: string;
}

/** Whether others have set fields of the object too. */
export function isShared({ metadata }: KubeObject, fieldManager: string): boolean {
  return metadata.managedFields?.some((entry) => isOfOther(entry, fieldManager)) === true;
}

/** Finds a field of the record before (`fieldsV1`) that an apply has given up and that stays all the same. */
export function stayingField(before: JsonObject, { metadata }: KubeObject, fieldManager: string): StayingField | undefined {
  const { managedFields = [] } = metadata;
  const after = jsonOf(managedFields.find((entry) => isApplied(entry, fieldManager))?.fieldsV1 ?? {});
  for (const entry of managedFields) {
    if (!isOfOther(entry, fieldManager)) continue;
    const { manager = "", fieldsV1 = {} } = entry;
    const field = sharedLeaf(before, after, jsonOf(fieldsV1));
    if (field !== undefined) return { manager, field };
  }
  return undefined;
}

/** Status and its like are not what is applied. */
function isOfOther({ manager, subresource = "" }: ManagedFieldsEntry, fieldManager: string): boolean {
  return manager !== fieldManager && subresource === "";
}

/** The path of a field that was applied before, is no longer, and is in the record of another manager. */
function sharedLeaf(before: JsonObject, after: JsonObject, other: JsonObject): string | undefined {
  for (const [member, inside] of Object.entries(before)) {
    const others = other[member];
    if (member === "." || !isJsonObject(inside) || !isJsonObject(others)) continue;
    const kept = after[member];
    if (kept === undefined) return pathOf(member);
    const rest = isJsonObject(kept) ? sharedLeaf(inside, kept, others) : undefined;
    if (rest !== undefined) return `${pathOf(member)}${rest.startsWith("[") ? "" : "."}${rest}`;
  }
  return undefined;
}

/** `f:spec` is `spec`, `k:{"name":"web"}` is `[name=web]`, `v:"a"` is `["a"]`. */
export function pathOf(member: string): string {
  const text = member.slice(2);
  if (member.startsWith("f:")) return text;
  const identity: unknown = member.startsWith("k:") ? JSON.parse(text) : undefined;
  if (typeof identity !== "object" || identity === null) return `[${text}]`;
  return `[${Object.entries(identity)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(",")}]`;
}
