import { ShelvedVersion } from "./shelved-version.ts";
import type { Entry, StorageEvent } from "./storage.ts";
import type { Version } from "./version.ts";

/** The version as an entry; undefined if it marks a delete. */
export function entryOf(version: Version | undefined): Entry | undefined {
  return isEntry(version) ? version : undefined;
}

/** The write that made the version, as listeners are told of it. */
export function eventOf(version: Version): StorageEvent {
  const { key, modRevision: revision } = version;
  const previous = entryOf(version.previous);
  if (isEntry(version)) return { type: "Put", key, revision, entry: version, previous };
  if (previous === undefined) throw new Error(`the delete of ${key} at revision ${revision} has nothing before it`);
  return { type: "Delete", key, revision, previous };
}

/** Whether there is something under the key as of this version. */
export function isEntry(version: Version | undefined): version is Version & Entry {
  return version instanceof ShelvedVersion || version?.bytes !== undefined;
}
