import { errorMessage } from "@kaji/core";
/** Why the storage could not do what it was asked. */
export type StorageFailure =
  /** The history asked for is gone; `oldest` is the first revision that can still be read. */
  | { readonly type: "Compacted"; readonly requested: number; readonly oldest: number }
  /** The revision asked for has not been yet. */
  | { readonly type: "FutureRevision"; readonly requested: number; readonly current: number }
  /** The write could not be made durable and has not been done: the disk is full or failing, the etcd out of reach. */
  | { readonly type: "Unavailable"; readonly detail: string }
  /** Another instance uses the data folder. */
  | { readonly type: "Locked"; readonly folder: string; readonly pid: number | undefined }
  /** Another instance has the prefix of the etcd; `owner` says which, and since when. */
  | { readonly type: "Held"; readonly prefix: string; readonly owner: string }
  /** The etcd does not answer, or not as one does that lets us in. */
  | { readonly type: "Unreachable"; readonly detail: string }
  /** The file is damaged, not ours, or cannot be opened. */
  | { readonly type: "Unreadable"; readonly file: string; readonly detail: string }
  /** The file was written by a later version of this program. */
  | { readonly type: "NewerFormat"; readonly file: string; readonly format: number; readonly supported: number }
  | { readonly type: "Closed" };

/** The storage could not do what it was asked. Decide on `failure.type`, never on the message. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure, options: ErrorOptions = {}) {
    super(describe(failure), options);
    this.failure = failure;
  }
}

/** Whether an error is a failure of the storage of one of these types. */
export function isStorageFailure(error: unknown, ...types: readonly StorageFailure["type"][]): error is StorageError {
  return error instanceof StorageError && types.includes(error.failure.type);
}

/** Why a write could not be stored, as a failure of the storage. */
export function unavailable(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError({ type: "Unavailable", detail: errorMessage(error) }, { cause: error });
}

function describe(failure: StorageFailure): string {
  switch (failure.type) {
    case "Compacted":
      return `revision ${failure.requested} has been compacted; the oldest kept is ${failure.oldest}`;
    case "FutureRevision":
      return `revision ${failure.requested} is in the future; the current one is ${failure.current}`;
    case "Unavailable":
      return `the write could not be stored: ${failure.detail}`;
    case "Locked":
      return `data folder ${failure.folder} is in use by another instance${failure.pid === undefined ? "" : ` (pid ${failure.pid})`}`;
    case "Held":
      return `etcd prefix ${failure.prefix} is in use by another instance (${failure.owner})`;
    case "Unreachable":
      return `etcd cannot be used: ${failure.detail}`;
    case "Unreadable":
      return `${failure.file} cannot be read: ${failure.detail}`;
    case "NewerFormat":
      return `${failure.file} has format ${failure.format}, newer than ${failure.supported}, the newest this version can read`;
    case "Closed":
      return "the storage is closed";
    default:
      return failure satisfies never;
  }
}
