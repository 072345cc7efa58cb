import { structuralEqual } from "@kaji/core";
import type { DynamicObject, ManagedFieldsEntry } from "@kaji/core";
import { decodeManagers, encodeManagers, isReset } from "./managed-fields.ts";
import type { Managers } from "./managed-fields.ts";

const nobody: Managers = new Map();

/**
 * Who owns what when an object is about to be replaced. A client may send ownership of its own, or ask to forget it all; one that
 * sends none, or nonsense, changes nothing about it, and neither does a write through a subresource.
 */
export function managersForUpdate(live: DynamicObject | undefined, next: DynamicObject, subresource: string): Managers {
  if (subresource !== "") return readableManagers(live);
  const { managedFields } = next.metadata;
  if (isReset(managedFields)) return nobody;
  // Most send what they were given, which has been read before.
  const sent = readableManagers(structuralEqual(managedFields, live?.metadata.managedFields) ? live : next);
  return sent.size === 0 ? readableManagers(live) : sent;
}

/** An object without any record of ownership. */
export function withoutManagers(object: DynamicObject): DynamicObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _record, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** An object without a record of ownership, with this one; `live` itself when it is the same and has the same record. */
export function withManagers(object: DynamicObject, managers: Managers, live?: DynamicObject): DynamicObject {
  const entries = encodeManagers(managers);
  const isLive =
    live !== undefined && sameEntries(entries, live.metadata.managedFields ?? []) && structuralEqual(object, withoutManagers(live));
  if (isLive) return live;
  return entries.length === 0 ? object : { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

/** The new object with the times of the old one, if nothing but times of ownership has changed: such a write is none. */
export function withoutTimeChange(old: DynamicObject, next: DynamicObject): DynamicObject {
  const before = old.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length === 0 || before.length !== after.length) return next;
  if (before.every((entry, index) => entry.time === after[index]?.time)) return next;
  const timeless = ({ time: _time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry => entry;
  const same = structuralEqual(before.map(timeless), after.map(timeless)) && structuralEqual(withoutManagers(old), withoutManagers(next));
  return same ? { ...next, metadata: { ...next.metadata, managedFields: before } } : next;
}

function readableManagers(object: DynamicObject | undefined): Managers {
  try {
    return decodeManagers(object?.metadata.managedFields);
  } catch {
    // As good as no record: whatever is written next starts a new one.
    return nobody;
  }
}

function sameEntries(left: readonly ManagedFieldsEntry[], right: readonly ManagedFieldsEntry[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
