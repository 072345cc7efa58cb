import { RecentMap } from "@kaji/core";
import type { ManagedFieldsEntry } from "@kaji/core";
import { compareGoStrings, quote } from "@kaji/core/go";
import type { FieldSet } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";

/** Who wrote, how, and in which version; through which subresource, empty for none. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** What one manager owns of an object: an entry of `metadata.managedFields`, read. */
export interface ManagedSet extends ManagerId {
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** The entry it was read from, as long as writing it would give the same. */
  readonly entry?: ManagedFieldsEntry;
}

/** All that is owned of an object, by `managerKey`. */
export type Managers = ReadonlyMap<string, ManagedSet>;

/**
 * Tells managers apart, and orders them where messages list them. An applier is the same in all versions, so that it can
 * move to a new one; an updater is another in each.
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  return JSON.stringify({
    ...(manager === "" ? {} : { manager }),
    operation,
    ...(operation === "Apply" ? {} : { apiVersion }),
    ...(subresource === "" ? {} : { subresource }),
  });
}

/** The same manager, owning other fields. */
export function owning(managed: ManagedSet, fields: FieldSet): ManagedSet {
  if (fields === managed.fields) return managed;
  const { entry: _stale, ...rest } = managed;
  return { ...rest, fields };
}

/** Whether a client asks to forget all ownership: an empty list, or one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  return Array.isArray(entries) && entries.length <= 1 && entries.every((entry) => JSON.stringify(entry) === "{}");
}

/** Reads `metadata.managedFields`. Throws on entries that are not as they must be, in the words of the real server. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  const known = entries === undefined ? undefined : knownManagers.get(entries);
  if (known !== undefined) return known;
  const managers = new Map<string, ManagedSet>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const managed = decodeEntry(entry, index);
    managers.set(managerKey(managed), managed);
  }
  return managers;
}

/** Writes `metadata.managedFields`: appliers first, then by time, manager, version and subresource. */
export function encodeManagers(managers: Managers): readonly ManagedFieldsEntry[] {
  const written = new Map<string, ManagedSet>();
  const entries: ManagedFieldsEntry[] = [];
  for (const managed of [...managers.values()].sort(compareManagers)) {
    const { entry = encodeEntry(managed) } = managed;
    entries.push(entry);
    written.set(managerKey(managed), managed.entry === undefined ? { ...managed, entry } : managed);
  }
  knownManagers.set(entries, written);
  return entries;
}

/** What was written lately: the next write of an object reads it again. */
const knownManagers = new RecentMap<readonly ManagedFieldsEntry[], Managers>(64);

/** When a manager wrote last, in whole seconds since the epoch; 0 when it does not say. */
export function secondsOf({ time }: ManagedSet): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function compareManagers(left: ManagedSet, right: ManagedSet): number {
  return (
    compareGoStrings(left.operation, right.operation) ||
    (left.time === right.time ? 0 : secondsOf(left) - secondsOf(right)) ||
    compareGoStrings(left.manager, right.manager) ||
    compareGoStrings(left.apiVersion, right.apiVersion) ||
    compareGoStrings(left.subresource, right.subresource)
  );
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): ManagedSet {
  const { manager = "", operation, apiVersion = "", subresource = "", time, fieldsType, fieldsV1 } = entry;
  if (operation !== "Apply" && operation !== "Update") throw new TypeError("operation must be `Apply` or `Update`");
  if (apiVersion === "") throw new TypeError("apiVersion must not be empty");
  if (fieldsType === undefined) throw new TypeError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") throw new TypeError(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`);
  const { fields, canonical } = decodeFields(fieldsV1);
  return { manager, operation, apiVersion, subresource, time, fields, ...(canonical ? { entry } : {}) };
}

function encodeEntry({ manager, operation, apiVersion, subresource, time, fields }: ManagedSet): ManagedFieldsEntry {
  return {
    ...(manager === "" ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: fields.encoded,
    ...(subresource === "" ? {} : { subresource }),
  };
}
