/**
 * Keeps the bytes of objects under keys such as `/registry/pods/default/web`, with every change since the last compaction.
 *
 * One sequence of revisions orders all writes. Reads are answered from memory and show durable writes only.
 */
export interface Storage extends AsyncDisposable {
  /** The revision of the newest durable write. Seen outside a listener, every event up to it has been delivered. */
  readonly currentRevision: number;
  /** The oldest revision that can be read, and that a subscription can start from. */
  readonly compactedRevision: number;

  /** The entry of a key, now or as of a past revision. */
  get(key: string, atRevision?: number): Entry | undefined;
  /** The entries of a path in the bytewise order of their keys. */
  list(path: Path, options?: ListOptions): Page;
  /** How many entries a path has now. */
  count(path: Path): number;

  /**
   * Writes an entry if the key's present revision is the expected one, or if there is none and 0 is expected.
   * The comparison is done and `encode` called before this returns; the promise settles when the outcome is durable.
   */
  put(key: string, expectedRevision: number, encode: Encode): Promise<PutResult>;
  /** Deletes an entry if the key's present revision is the expected one; otherwise as `put`. */
  delete(key: string, expectedRevision: number): Promise<DeleteResult>;

  /** Resolves when the accepted writes of a key are durable and have been told, or have failed; undefined when there are none. */
  pending(key: string): Promise<void> | undefined;

  /**
   * Calls the listener with every event of a path after a revision, in order: those that have been before it returns, the
   * others as they become durable. Listeners are synchronous and do not throw.
   */
  subscribe(path: Path, fromRevision: number, listener: Listener): Disposable;

  /** Forgets all that was superseded by the given revision, which remains the oldest that can be read. */
  compact(revision: number): void;
  /** Settles the writes under way and lets go of all resources. What is used after it throws or rejects with `Closed`. */
  close(): Promise<void>;
}

/** Which entries are meant: those below it if it ends in `/`, else the one with just this key. */
export type Path = string;

/** Makes the bytes to store, given the revision they will have. It is called once, and must not call the storage. */
export type Encode = (revision: number) => Uint8Array;

/** What is stored under a key. The bytes are shared by all readers and never changed. */
export interface Entry {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** The revision that wrote the bytes. */
  readonly modRevision: number;
}

/** Which part of a path to list, and as of when. */
export interface ListOptions {
  /** Default the current revision. */
  readonly atRevision?: number | undefined;
  /** How many entries at most. Default all. */
  readonly limit?: number | undefined;
  /** Where the page before ended: only entries with greater keys are listed. */
  readonly after?: string | undefined;
}

/** A part of a path, exactly as it was at one revision. */
export interface Page {
  readonly entries: readonly Entry[];
  readonly revision: number;
  /** How many entries follow after this page. */
  readonly remaining: number;
}

/** A write that was not done because the key is not, or no longer, as expected. */
export interface Conflict {
  readonly type: "Conflict";
  readonly current: Entry | undefined;
}

/** How a `put` ended. */
export type PutResult = { readonly type: "Stored"; readonly entry: Entry } | Conflict;

/** How a `delete` ended. */
export type DeleteResult = { readonly type: "Deleted"; readonly revision: number; readonly previous: Entry } | Conflict;

/** A change of one key. An entry is created by a `Put` without a previous one. */
export type StorageEvent =
  | { readonly type: "Put"; readonly key: string; readonly revision: number; readonly entry: Entry; readonly previous: Entry | undefined }
  | { readonly type: "Delete"; readonly key: string; readonly revision: number; readonly previous: Entry };

/** Is told what changed. All listeners get the same event object. */
export type Listener = (event: StorageEvent) => void;
