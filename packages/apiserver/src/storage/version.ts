import { ShelvedVersion } from "./shelved-version.ts";
import type { Entry, StorageEvent } from "./storage.ts";

/** What one write left under a key. The versions of a key form a chain from the newest to the oldest still kept. */
export interface Version {
  readonly key: string;
  readonly modRevision: number;
  /** Undefined after a delete. May be exchanged for an equal copy when memory is tidied. */
  bytes: Uint8Array | undefined;
  /** The version this one replaced; undefined if there was none, or if it has been compacted away. */
  previous: Version | undefined;
}

/** The version as an entry; undefined if it marks a delete. */
export function entryOf(version: Version | undefined): Entry | undefined {
  return isEntry(version) ? version : undefined;
}

/** The newest of the chain that is not after the revision. */
export function asOf(version: Version | undefined, revision: number): Version | undefined {
  let found = version;
  while (found !== undefined && found.modRevision > revision) found = found.previous;
  return found;
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
