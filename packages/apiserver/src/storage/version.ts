/** What one write left under a key. The versions of a key form a chain from the newest to the oldest still kept. */
export interface Version {
  readonly key: string;
  readonly modRevision: number;
  /** Undefined after a delete. May be exchanged for an equal copy when memory is tidied. */
  bytes: Uint8Array | undefined;
  /** The version this one replaced; undefined if there was none, or if it has been compacted away. */
  previous: Version | undefined;
}

/** The newest of the chain that is not after the revision. */
export function asOf(version: Version | undefined, revision: number): Version | undefined {
  let found = version;
  while (found !== undefined && found.modRevision > revision) found = found.previous;
  return found;
}
