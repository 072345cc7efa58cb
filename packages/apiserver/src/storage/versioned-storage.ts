import type { Clock } from "@kaji/core";
import type { History } from "./history.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { covers, requireKey } from "./key-range.ts";
import { StorageError } from "./storage-error.ts";
import type { Conflict, DeleteResult, Encode, Entry, ListOptions, Listener, Page, Path, PutResult, Storage } from "./storage.ts";
import { Subscriptions, tell } from "./subscriptions.ts";
import { entryOf, eventOf } from "./version-entry.ts";
import type { Version } from "./version.ts";
import { WriteBatch } from "./write-batch.ts";

/** What a storage takes from outside. */
export interface StorageOptions {
  readonly clock: Clock;
  /** How long superseded entries can still be read and listened to, at least; `Infinity` for ever. Default 5 minutes, as with etcd behind Kubernetes. */
  readonly historyMs?: number;
}

/** Where writes become durable. */
export interface Journal {
  /** Keeps the writes, all or none; rejects with `Unavailable` if it cannot. Not called again before it has settled. */
  append(writes: readonly Version[]): Promise<void>;
  /** Need not keep the writes of these revisions: all up to `compacted` that can no longer be seen. */
  forget(revisions: readonly number[], compacted: number): void;
  close(): void | Promise<void>;
}

/**
 * A storage that reads from a history in memory and writes through to a journal, if there is one.
 *
 * With a journal, the writes of one turn of the event loop become durable together, and so do those that are accepted while others are
 * on their way; they are seen by nobody before. Without, each is seen as soon as it is made.
 */
export class VersionedStorage implements Storage {
  readonly #history: History;
  readonly #journal: Journal | undefined;
  readonly #keeper: HistoryKeeper;
  readonly #subscriptions = new Subscriptions();
  /** Writes on their way to the journal. Their revisions follow on those of `#history`. */
  #underWay: WriteBatch | undefined;
  /** Writes accepted and not yet on their way. Their revisions follow on those of `#underWay`. */
  #accepted: WriteBatch | undefined;
  /** Whether the accepted writes are seen to already: soon, or after those before them. */
  #isCommitting = false;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(history: History, { clock, historyMs = 5 * 60_000 }: StorageOptions, journal?: Journal) {
    this.#history = history;
    this.#journal = journal;
    this.#keeper = new HistoryKeeper(this, clock, historyMs);
    if (history.current > history.compacted) this.#keeper.wake();
  }

  get currentRevision(): number {
    return this.#history.current;
  }

  get compactedRevision(): number {
    return this.#history.compacted;
  }

  get(key: string, atRevision?: number): Entry | undefined {
    this.#requireOpen();
    return this.#history.get(key, atRevision);
  }

  list(path: Path, options: ListOptions = {}): Page {
    this.#requireOpen();
    return this.#history.list(path, options);
  }

  count(path: Path): number {
    this.#requireOpen();
    return this.#history.count(path);
  }

  async put(key: string, expectedRevision: number, encode: Encode): Promise<PutResult> {
    this.#requireOpen();
    requireKey(key);
    const current = this.#newest(key);
    if ((entryOf(current)?.modRevision ?? 0) !== expectedRevision) return this.#conflict(current);
    const modRevision = this.#nextRevision();
    const entry = { key, modRevision, bytes: encode(modRevision), previous: undefined };
    await this.#accept(entry);
    return { type: "Stored", entry };
  }

  async delete(key: string, expectedRevision: number): Promise<DeleteResult> {
    this.#requireOpen();
    const current = this.#newest(key);
    const previous = entryOf(current);
    if (previous === undefined || previous.modRevision !== expectedRevision) return this.#conflict(current);
    const revision = this.#nextRevision();
    await this.#accept({ key, modRevision: revision, bytes: undefined, previous: undefined });
    return { type: "Deleted", revision, previous };
  }

  pending(key: string): Promise<void> | undefined {
    return this.#batchOf(key)?.durable.catch(() => {});
  }

  subscribe(path: Path, fromRevision: number, listener: Listener): Disposable {
    this.#requireOpen();
    if (fromRevision < this.compactedRevision) {
      throw new StorageError({ type: "Compacted", requested: fromRevision, oldest: this.compactedRevision });
    }
    for (let revision = fromRevision + 1; revision <= this.currentRevision; revision++) {
      const version = this.#history.at(revision);
      if (version !== undefined && covers(path, version.key)) tell(listener, eventOf(version));
    }
    return this.#subscriptions.add(path, Math.max(fromRevision, this.currentRevision), listener);
  }

  compact(revision: number): void {
    this.#requireOpen();
    const forgotten = this.#history.compact(revision);
    this.#journal?.forget(forgotten, this.compactedRevision);
  }

  /** An independent storage in memory with the same entries and history. */
  fork(options: StorageOptions): VersionedStorage {
    this.#requireOpen();
    return new VersionedStorage(this.#history.fork(), options);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    for (let batch; (batch = this.#underWay ?? this.#accepted) !== undefined;) await batch.durable.catch(() => {});
    this.#isClosed = true;
    this.#keeper.stop();
    this.#subscriptions.clear();
    await this.#journal?.close();
  }

  /** What a key will hold once all accepted writes are durable. */
  #newest(key: string): Version | undefined {
    return this.#accepted?.newest(key) ?? this.#underWay?.newest(key) ?? this.#history.newest(key);
  }

  /** Those accepted writes among which the newest of a key is, if it is not durable yet. */
  #batchOf(key: string): WriteBatch | undefined {
    return [this.#accepted, this.#underWay].find((batch) => batch?.newest(key) !== undefined);
  }

  #nextRevision(): number {
    return this.#history.current + (this.#underWay?.writes.length ?? 0) + (this.#accepted?.writes.length ?? 0) + 1;
  }

  /** A refusal is told no sooner than the write it is based on is durable. */
  async #conflict(current: Version | undefined): Promise<Conflict> {
    if (current !== undefined) await this.#batchOf(current.key)?.durable;
    return { type: "Conflict", current: entryOf(current) };
  }

  /** Queues a write; resolves when it is durable. */
  #accept(write: Version): Promise<void> {
    const batch = (this.#accepted ??= new WriteBatch());
    batch.add(write);
    if (!this.#isCommitting) this.#commitAll();
    return batch.durable;
  }

  /** With a journal at the end of the turn, so that its writes become durable together; without at once. */
  #commitAll(): void {
    const journal = this.#journal;
    this.#isCommitting = true;
    if (journal !== undefined) return void setImmediate(() => this.#commit(journal));
    // Writes that listeners make meanwhile follow after all listeners have been told of the ones before.
    for (let batch; (batch = this.#accepted) !== undefined;) {
      this.#accepted = undefined;
      this.#settle(batch);
    }
    this.#isCommitting = false;
  }

  #commit(journal: Journal): void {
    this.#underWay = this.#accepted;
    this.#accepted = undefined;
    journal.append(this.#underWay?.writes ?? []).then(
      () => this.#succeed(),
      (error: unknown) => this.#fail(error),
    );
  }

  #succeed(): void {
    const batch = this.#underWay;
    this.#underWay = undefined;
    if (batch !== undefined) this.#settle(batch);
    this.#isCommitting = false;
    if (this.#accepted !== undefined) this.#commitAll();
  }

  /** What was accepted meanwhile fails, too: its revisions follow on those that will never be. */
  #fail(error: unknown): void {
    const failed = [this.#underWay, this.#accepted];
    this.#underWay = undefined;
    this.#accepted = undefined;
    this.#isCommitting = false;
    for (const batch of failed) batch?.fail(error);
  }

  /** Makes durable writes visible, and tells first the listeners and then the writers. */
  #settle(batch: WriteBatch): void {
    for (const write of batch.writes) this.#history.append(write);
    this.#keeper.wake();
    for (const event of batch.writes.map(eventOf)) this.#subscriptions.publish(event);
    batch.succeed();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StorageError({ type: "Closed" });
  }
}
