import type { ObjectKey } from "@kaji/core";
import { isOlder } from "../reflector/resource-version.ts";

/** How many tombstones are kept: events that are still to come may show a deleted object in an older state. */
const maxTombstones = 1024;

/** A write that was observed here, and that the server's events have not come to yet. */
export interface OverlayEntry<S> {
  /**
   * What readers see: `Written`, the object as it was written; `Left`, nothing, since it was written out of the selector; `Deleted`, nothing, since it
   * was deleted.
   */
  readonly type: "Written" | "Left" | "Deleted";
  readonly uid: string;
  /** The version that was written; of a deleted object, the last that is known. */
  readonly resourceVersion: string;
  /** Versions of earlier writes to it that were observed here; the events that show them are echoes too. */
  readonly earlier: readonly string[];
  /** What the server's events said last: undefined if the object was not there. */
  readonly server: S | undefined;
  /** The last list that had it. */
  readonly listNumber: number;
}

/** What becomes of a state that the server shows: readers see it, it confirms what they see, or they have seen something newer. */
export type Verdict = "Show" | "Echo" | "Hide";

/** Own writes and deletions that readers see before the server's events show them. */
export class WriteOverlay<S> {
  /** Dropped when the server's events pass their version; in the order in which they were observed, which is nearly that of their versions. */
  readonly #writes = new Map<ObjectKey, OverlayEntry<S>>();
  /** Objects that were deleted here and that the server still shows: dropped when the server shows them no more. No key is in both maps. */
  readonly #deletions = new Map<ObjectKey, OverlayEntry<S>>();
  /** Uids of objects that were deleted here, oldest first. No other object gets such a uid, unless the server is restored from a backup. */
  readonly #tombstones = new Set<string>();

  get size(): number {
    return this.#writes.size + this.#deletions.size;
  }

  get(key: ObjectKey): OverlayEntry<S> | undefined {
    return this.#writes.get(key) ?? this.#deletions.get(key);
  }

  /** Lays a write over the object, instead of any before. */
  lay(key: ObjectKey, entry: OverlayEntry<S>): void {
    this.drop(key);
    (isPendingDeletion(entry) ? this.#deletions : this.#writes).set(key, entry);
  }

  /** Changes what is known of a write. */
  amend(key: ObjectKey, entry: OverlayEntry<S>, change: Partial<Pick<OverlayEntry<S>, "server" | "listNumber" | "earlier">>): void {
    const amended = { ...entry, ...change };
    if (isPendingDeletion(amended) !== isPendingDeletion(entry)) return this.lay(key, amended);
    (isPendingDeletion(amended) ? this.#deletions : this.#writes).set(key, amended);
  }

  drop(key: ObjectKey): void {
    if (this.size === 0 || this.#writes.delete(key)) return;
    this.#deletions.delete(key);
  }

  entries(): [ObjectKey, OverlayEntry<S>][] {
    return [...this.#writes, ...this.#deletions];
  }

  /** Hides every state of the object from now on. */
  addTombstone(uid: string): void {
    this.#tombstones.add(uid);
    for (const oldest of this.#tombstones) {
      if (this.#tombstones.size <= maxTombstones) return;
      this.#tombstones.delete(oldest);
    }
  }

  hasTombstone(uid: string): boolean {
    return this.#tombstones.has(uid);
  }

  /** Called when the server was restored from a backup: objects that were deleted here may exist again. */
  clearTombstones(): void {
    this.#tombstones.clear();
  }

  /** Decides when the server shows an object in a state, or says that it is gone. */
  judge(key: ObjectKey, state: { readonly uid: string; readonly resourceVersion: string }, news: "There" | "Gone"): Verdict {
    // The usual case, checked first: nothing was written or deleted here of late.
    if (this.size === 0 && this.#tombstones.size === 0) return "Show";
    const { uid, resourceVersion } = state;
    const entry = this.get(key);
    const isDeleted = this.#tombstones.has(uid) || (entry?.type === "Deleted" && entry.uid === uid);
    if (isDeleted && news === "There") return "Hide";
    if (entry === undefined) return "Show";
    if (isOlder(resourceVersion, entry.resourceVersion)) return "Hide";
    const isSame = resourceVersion === entry.resourceVersion && entry.type === (news === "Gone" ? "Left" : "Written");
    return isSame ? "Echo" : "Show";
  }

  /** Writes that the server's events must have come to, once they have come to a version. One that was observed late may follow later. */
  *passed(resourceVersion: string): Iterable<[ObjectKey, OverlayEntry<S>]> {
    for (const write of this.#writes) {
      if (isOlder(resourceVersion, write[1].resourceVersion)) return;
      yield write;
    }
  }
}

function isPendingDeletion<S>({ type, server }: OverlayEntry<S>): boolean {
  return type === "Deleted" && server !== undefined;
}
