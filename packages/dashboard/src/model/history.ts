import type { Change } from "../page/live-message.ts";
import type { Limits } from "./limits.ts";

/** A change, the object it happened to, and whom that belonged to. */
export interface RecordedChange {
  readonly change: Change;
  readonly uid: string;
  readonly owners: readonly string[];
}

/** What happened in the cluster, as far back as there is room: an object that never rests does not drive out what happened to others. */
export class History implements Iterable<RecordedChange> {
  readonly #limits: Pick<Limits, "changes" | "changesPerObject">;
  /** By the id of the change, the oldest first. */
  readonly #records = new Map<number, RecordedChange>();
  /** The ids of an object's changes, the oldest first. Exactly those in `#records`. */
  readonly #ofObject = new Map<string, number[]>();

  constructor(limits: Pick<Limits, "changes" | "changesPerObject">) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#records.size;
  }

  add(record: RecordedChange): void {
    const { uid, change } = record;
    const ids = this.#ofObject.get(uid) ?? [];
    this.#records.set(change.id, record);
    this.#ofObject.set(uid, ids);
    ids.push(change.id);
    if (ids.length > this.#limits.changesPerObject) this.#forget(ids[0]);
    if (this.#records.size > this.#limits.changes) this.#forget(this.#records.keys().next().value);
  }

  /** Whom an object belonged to when it was last seen to change; empty where that is not known. */
  ownersOf(uid: string): readonly string[] {
    const last = this.#ofObject.get(uid)?.at(-1);
    return last === undefined ? [] : (this.#records.get(last)?.owners ?? []);
  }

  [Symbol.iterator](): Iterator<RecordedChange> {
    return this.#records.values();
  }

  /** Only ever the oldest of an object's: the oldest of all is that too. */
  #forget(id: number | undefined): void {
    const record = id === undefined ? undefined : this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(record.change.id);
    const ids = this.#ofObject.get(record.uid) ?? [];
    ids.shift();
    if (ids.length === 0) this.#ofObject.delete(record.uid);
  }
}
