import type { Clock } from "@kaji/core";
import type { Storage } from "./storage.ts";

/** The history is trimmed in steps of this part of its length. */
const steps = 10;

/** A revision that was current at a moment. */
interface Mark {
  readonly atMs: number;
  readonly revision: number;
}

/**
 * Compacts in the background, so that at least `historyMs` of history remain, and little more.
 * Once all history has been compacted no timer runs, until the next write.
 */
export class HistoryKeeper {
  /** Oldest first; each of a later revision than the one before. */
  readonly #marks: Mark[] = [];
  #timer: Disposable | undefined;
  readonly #clock: Clock;
  readonly #historyMs: number;
  readonly #storage: Pick<Storage, "currentRevision" | "compact">;

  constructor(storage: Pick<Storage, "currentRevision" | "compact">, clock: Clock, historyMs: number) {
    this.#storage = storage;
    this.#clock = clock;
    this.#historyMs = historyMs;
  }

  /** To be called when there is history to keep an eye on. */
  wake(): void {
    if (this.#historyMs === Infinity) return;
    this.#timer ??= this.#clock.timer(this.#historyMs / steps, () => this.#step());
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #step(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonic();
    const revision = this.#storage.currentRevision;
    if (revision > (this.#marks.at(-1)?.revision ?? 0)) this.#marks.push({ atMs: nowMs, revision });
    const expired = this.#marks.findLast(({ atMs }) => atMs <= nowMs - this.#historyMs);
    if (expired !== undefined) {
      this.#marks.splice(0, this.#marks.indexOf(expired) + 1);
      this.#storage.compact(expired.revision);
    }
    if (this.#marks.length > 0) this.wake();
  }
}
