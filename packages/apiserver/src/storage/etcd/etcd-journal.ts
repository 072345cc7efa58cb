import { unavailable } from "../storage-error.ts";
import type { Version } from "../version.ts";
import type { Journal } from "../versioned-storage.ts";
import type { Change, RangePage } from "./etcd-client.ts";
import { isUnknown } from "./etcd-error.ts";
import type { EtcdPrefix } from "./etcd-prefix.ts";
import { RowReader, deleteRows, putRow, rowKey, rowsEnd } from "./etcd-row.ts";

/** How many changes etcd makes in one transaction, unless it is told otherwise. */
const changesAtOnce = 128;
/** How many bytes are sent in one transaction, unless a single row has more. */
const bytesAtOnce = 2 ** 20;
/** For how long a write is tried again while it is unknown what came of it, and after which pause. */
const patienceMs = 10_000;
const pauseMs = 200;
/** How often etcd is made to forget what it keeps of deleted rows, at most. As with kube-apiserver. */
const etcdCompactionMs = 5 * 60_000;

/** A log of writes below a prefix of an etcd: one row for each, until it is forgotten. */
export class EtcdJournal implements Journal {
  readonly #held: EtcdPrefix;
  readonly #prefix: string;
  readonly #compactedKey: string;
  /** How many rows are read at once: fewer, if they are so large that etcd does not manage that in time. */
  #pageSize = 1000;
  /** The newest write that is known to be in the log. */
  #last = 0;
  /** Whether changes may have been made, or may be made yet, of which that is not known. */
  #isInDoubt = false;
  /** The changes that are being made; others wait for them. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** Revisions of rows to be deleted, in an order such that the log gives the same entries whatever part of them is gone. */
  #forgotten: readonly number[] = [];
  #compacted = 1;
  #isCompactedStored = true;
  #sweep: Promise<void> | undefined;
  #isClosing = false;
  /** The revision of etcd that it will be compacted to, and since when. */
  #mark: { readonly atMs: number; readonly revision: number } | undefined;

  constructor(held: EtcdPrefix) {
    this.#held = held;
    this.#prefix = held.prefix;
    this.#compactedKey = `${held.prefix}/compacted`;
  }

  /** Reads the revision up to which writes have been forgotten. */
  async loadCompacted(): Promise<number> {
    const stored = await this.#held.client.get(this.#compactedKey);
    const text = stored?.value.toString() ?? "1";
    if (!/^[1-9]\d*$/.test(text)) throw new Error(`${this.#compactedKey} is no revision: '${text}'`);
    this.#compacted = Number(text);
    this.#last = this.#compacted;
    return this.#compacted;
  }

  /** Every write in the log, in the order of revisions. */
  async *versions(): AsyncGenerator<readonly Version[]> {
    const reader = new RowReader(this.#prefix);
    let next: string | undefined = rowKey(this.#prefix, 0);
    while (next !== undefined) {
      const { entries, hasMore } = await this.#readPage(next);
      const last = entries.at(-1);
      next = hasMore && last !== undefined ? `${last.key}\0` : undefined;
      yield this.#note(next === undefined ? [...reader.read(entries), ...reader.end()] : reader.read(entries));
    }
    this.#isInDoubt = reader.hasUnfinished;
  }

  append(writes: readonly Version[]): Promise<void> {
    const parts = partsOf(writes.flatMap((write) => putRow(this.#prefix, write)));
    return this.#alone(async () => {
      const untilMs = this.#held.clock.monotonic() + patienceMs;
      for (;;) {
        try {
          await this.#make(parts);
          return void this.#note(writes);
        } catch (error) {
          if (!isUnknown(error) || this.#held.clock.monotonic() >= untilMs) throw unavailable(error);
        }
        await this.#held.clock.sleep(pauseMs);
      }
    });
  }

  forget(revisions: readonly number[], compacted: number): void {
    this.#compacted = compacted;
    this.#isCompactedStored = false;
    this.#forgotten = this.#forgotten.concat(revisions);
    this.#sweep ??= this.#sweepAll();
  }

  /** Releases the prefix, too. Rows that have not been deleted yet remain, and are found again by the next who loads the log. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sweep;
    await this.#held.release();
  }

  async #readPage(from: string): Promise<RangePage> {
    for (;;) {
      try {
        return await this.#held.client.range(from, rowsEnd(this.#prefix), this.#pageSize);
      } catch (error) {
        if (!isUnknown(error) || this.#pageSize === 1) throw error;
        this.#pageSize = Math.ceil(this.#pageSize / 4);
      }
    }
  }

  async #sweepAll(): Promise<void> {
    try {
      while (!this.#isCompactedStored || (this.#forgotten.length > 0 && !this.#isClosing)) await this.#alone(() => this.#sweepSome());
    } catch {
      // They are tried again after the next compaction. Before that a write meets the same trouble, and reports it.
    } finally {
      this.#sweep = undefined;
    }
  }

  async #sweepSome(): Promise<void> {
    const compacted = this.#compacted;
    const deleted = this.#forgotten.slice(0, changesAtOnce - 1);
    const put: Change = { type: "Put", key: this.#compactedKey, value: Buffer.from(String(compacted)) };
    const revision = await this.#make([[put, ...deleted.map((each) => deleteRows(this.#prefix, each, each + 1))]]);
    this.#forgotten = this.#forgotten.slice(deleted.length);
    this.#isCompactedStored = compacted === this.#compacted;
    await this.#compactEtcd(revision);
  }

  /** Etcd forgets what it had at the last compaction, so that between one and two of these intervals remain. */
  async #compactEtcd(revision: number): Promise<void> {
    const atMs = this.#held.clock.monotonic();
    const mark = this.#mark;
    if (mark !== undefined && atMs < mark.atMs + etcdCompactionMs) return;
    this.#mark = { atMs, revision };
    // Another may have compacted it further, and if it cannot be reached, the next compaction is not far.
    if (mark !== undefined) await this.#held.client.compact(mark.revision).catch(() => {});
  }

  /**
   * Makes changes, one transaction after the other, and returns the last revision of etcd. If it is unknown what came of the changes before,
   * first a new term puts an end to them, and deletes the rows of writes that nobody has been told of.
   */
  async #make(parts: readonly (readonly Change[])[]): Promise<number> {
    if (this.#isInDoubt) await this.#held.beginTerm([deleteRows(this.#prefix, this.#last + 1)]);
    this.#isInDoubt = true;
    let revision = 0;
    for (const part of parts) revision = await this.#held.change(part);
    this.#isInDoubt = false;
    return revision;
  }

  /** Does something after everything before it has been done. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#underWay.then(work);
    this.#underWay = done.catch(() => {});
    return done;
  }

  #note(writes: readonly Version[]): readonly Version[] {
    this.#last = Math.max(this.#last, writes.at(-1)?.modRevision ?? 0);
    return writes;
  }
}

/** Cuts changes into transactions that etcd takes, in the same order. */
function partsOf(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    const size = change.type === "Put" ? change.value.byteLength : 0;
    const part = parts.at(-1);
    if (part === undefined || part.length === changesAtOnce || bytes + size > bytesAtOnce) {
      parts.push([change]);
      bytes = size;
    } else {
      part.push(change);
      bytes += size;
    }
  }
  return parts;
}
