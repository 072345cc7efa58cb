import type { ObjectKey } from "@kaji/core";
import { isOlder } from "../reflector/resource-version.ts";

/** So many objects that were deleted here are remembered, in case the server's events have yet to show them alive. */
const longestMemory = 1024;

/** A write that was observed here, and that the server's events have not come to yet. */
export interface OverlayEntry<S> {
  /**
   * What readers see: `Written`, the object as it was written; `Left`, nothing, since it was written out of the selector; `Dead`, nothing, since it
   * was deleted.
   */
  readonly type: "Written" | "Left" | "Dead";
  readonly uid: string;
  /** The version that was written; of a dead object, the last that is known. */
  readonly resourceVersion: string;
  /** Versions of earlier writes to it that were observed here; the events that show them are echoes too. */
  readonly earlier: readonly string[];
  /** What the server's events said last: undefined if the object was not there. */
  readonly server: S | undefined;
  /** The last list that had it. */
  readonly listNumber: number;
}

/** What is to be done with what the server says: readers see it, it confirms what they see, or they have seen something newer. */
export type Verdict = "Show" | "Echo" | "Hide";

/** Writes that readers see although the server's events have not come to them, and objects that they no longer see although they have not. */
export class WriteOverlay<S> {
  /** Those that a version passes, in the order in which they were observed, which is nearly that of their versions. */
  readonly #writes = new Map<ObjectKey, OverlayEntry<S>>();
  /** Of dead objects that the server's events still show: only their end ends these. No key is in both. */
  readonly #graves = new Map<ObjectKey, OverlayEntry<S>>();
  /** Uids of objects that were deleted here, oldest first. No object ever comes back under the same uid. */
  readonly #dead = new Set<string>();

  get size(): number {
    return this.#writes.size + this.#graves.size;
  }

  get(key: ObjectKey): OverlayEntry<S> | undefined {
    return this.#writes.get(key) ?? this.#graves.get(key);
  }

  /** Lays a write over the object, instead of any before. */
  lay(key: ObjectKey, entry: OverlayEntry<S>): void {
    this.drop(key);
    (isGrave(entry) ? this.#graves : this.#writes).set(key, entry);
  }

  /** Changes what is known of a write. */
  amend(key: ObjectKey, entry: OverlayEntry<S>, change: Partial<Pick<OverlayEntry<S>, "server" | "listNumber" | "earlier">>): void {
    const amended = { ...entry, ...change };
    if (isGrave(amended) !== isGrave(entry)) return this.lay(key, amended);
    (isGrave(amended) ? this.#graves : this.#writes).set(key, amended);
  }

  drop(key: ObjectKey): void {
    if (this.size === 0 || this.#writes.delete(key)) return;
    this.#graves.delete(key);
  }

  entries(): [ObjectKey, OverlayEntry<S>][] {
    return [...this.#writes, ...this.#graves];
  }

  bury(uid: string): void {
    this.#dead.add(uid);
    for (const oldest of this.#dead) {
      if (this.#dead.size <= longestMemory) return;
      this.#dead.delete(oldest);
    }
  }

  isDead(uid: string): boolean {
    return this.#dead.has(uid);
  }

  /** Forgets the dead: in another history, who knows. */
  forgetDead(): void {
    this.#dead.clear();
  }

  /** What is to be done when the server shows an object in a state, or says that it is gone. */
  judge(key: ObjectKey, state: { readonly uid: string; readonly resourceVersion: string }, isGone: boolean): Verdict {
    // As it nearly always is.
    if (this.size === 0 && this.#dead.size === 0) return "Show";
    const { uid, resourceVersion } = state;
    const entry = this.get(key);
    const isDead = this.#dead.has(uid) || (entry?.type === "Dead" && entry.uid === uid);
    if (isDead && !isGone) return "Hide";
    if (entry === undefined) return "Show";
    if (isOlder(resourceVersion, entry.resourceVersion)) return "Hide";
    const isSame = resourceVersion === entry.resourceVersion && entry.type === (isGone ? "Left" : "Written");
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

function isGrave<S>({ type, server }: OverlayEntry<S>): boolean {
  return type === "Dead" && server !== undefined;
}
