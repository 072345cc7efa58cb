import type { Version } from "../version.ts";
import type { Change, KeyValue } from "./etcd-client.ts";

/** The longest value of a key. With the rest of a request it is well below the 1.5 MiB that etcd takes at once. */
const pieceBytes = 2 ** 20;

/** How many digits the greatest revision has. */
const digits = String(Number.MAX_SAFE_INTEGER).length;

/**
 * Where the write of a revision is, below the prefix: `/log/0000000000000042`, and `/log/0000000000000042.01` and so on for the rest of a
 * long one. The order of keys is that of revisions.
 */
export function rowKey(prefix: string, revision: number, piece = 0): string {
  const suffix = piece === 0 ? "" : `.${String(piece).padStart(2, "0")}`;
  return `${prefix}/log/${String(revision).padStart(digits, "0")}${suffix}`;
}

/** Where all rows end: after everything that begins with a digit. */
export function rowsEnd(prefix: string): string {
  return `${prefix}/log/:`;
}

/** Deletes the rows from one revision up to, but not including, another. */
export function deleteRows(prefix: string, from: number, to?: number): Change {
  return { type: "Delete", from: rowKey(prefix, from), to: to === undefined ? rowsEnd(prefix) : rowKey(prefix, to) };
}

/** What puts a write into the log. The first piece comes last: once it is there, all of it is. */
export function putRow(prefix: string, { key, modRevision, bytes }: Version): Change[] {
  // A key has no NUL in it. Behind one are the bytes, and a delete has none.
  const value = Buffer.concat([Buffer.from(key), ...(bytes === undefined ? [] : [Buffer.of(0), bytes])]);
  const pieces = Math.ceil(value.byteLength / pieceBytes);
  const put = (piece: number): Change => {
    return {
      type: "Put",
      key: rowKey(prefix, modRevision, piece),
      value: value.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
    };
  };
  return Array.from({ length: pieces }, (_, index) => put(pieces - 1 - index));
}

/** Puts the rows of a log together from their pieces, which come in order. */
export class RowReader {
  readonly #start: number;
  #pieces: Buffer[] = [];
  #revision = 0;
  /** Whether there was a row of which the first piece is not there: its write was never finished. */
  hasUnfinished = false;

  constructor(prefix: string) {
    this.#start = rowKey(prefix, 0).length - digits;
  }

  /** Takes the next pieces; returns the rows that are whole now. */
  read(entries: readonly KeyValue[]): Version[] {
    return entries.flatMap(({ key, value }) => this.#take(key.slice(this.#start), value));
  }

  /** The last row, when there are no more pieces. */
  end(): Version[] {
    const pieces = this.#pieces.splice(0);
    return pieces.length === 0 ? [] : [versionOf(this.#revision, Buffer.concat(pieces))];
  }

  #take(name: string, value: Buffer): Version[] {
    const revision = Number(name.slice(0, digits));
    if (name.length > digits) {
      if (revision === this.#revision) this.#pieces.push(value);
      else this.hasUnfinished = true;
      return [];
    }
    const before = this.end();
    this.#revision = revision;
    this.#pieces = [value];
    return before;
  }
}

function versionOf(modRevision: number, value: Buffer): Version {
  const end = value.indexOf(0);
  const key = value.toString("utf8", 0, end < 0 ? value.byteLength : end);
  return { key, modRevision, bytes: end < 0 ? undefined : value.subarray(end + 1), previous: undefined };
}
