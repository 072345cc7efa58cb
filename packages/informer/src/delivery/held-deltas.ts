import type { Clock, ObjectKey } from "@kaji/core";
import type { Delta } from "./delta.ts";

/** No write holds anything back for longer, whatever becomes of its answer. */
const longestHoldMs = 10_000;

/** What happened to objects while they were being written: held back until the answer says which of it was the write itself. */
export class HeldDeltas<O> {
  readonly #clock: Clock;
  readonly #release: (deltas: readonly Delta<O>[]) => void;
  /** By key how many writes are under way, and what is held back since the first of them. */
  readonly #held = new Map<ObjectKey, { writes: number; readonly deltas: Delta<O>[] }>();

  constructor(clock: Clock, release: (deltas: readonly Delta<O>[]) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** A write begins; it ends when this is disposed of. */
  begin(key: ObjectKey): Disposable {
    const held = this.#held.get(key) ?? { writes: 0, deltas: [] };
    this.#held.set(key, held);
    held.writes++;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      timer[Symbol.dispose]();
      if (--held.writes > 0) return;
      this.#held.delete(key);
      this.#release(held.deltas);
    };
    const timer = this.#clock.timer(longestHoldMs, end);
    return { [Symbol.dispose]: end };
  }

  /** Holds back what happened to objects that are being written, and returns the rest. */
  hold(deltas: readonly Delta<O>[]): readonly Delta<O>[] {
    if (this.#held.size === 0) return deltas;
    return deltas.filter((delta) => {
      const held = this.#held.get(delta.key);
      held?.deltas.push(delta);
      return held === undefined;
    });
  }

  /** Releases what is held back, while the writes go on: a new subscriber, or a resync, is told the present state, which must not be followed by older deltas. */
  flush(): void {
    for (const { deltas } of this.#held.values()) if (deltas.length > 0) this.#release(deltas.splice(0));
  }

  /** The answer has come: what is held back and fits it is the write of this writer. */
  attribute(key: ObjectKey, writer: unknown, isWrite: (delta: Delta<O>) => boolean): void {
    const deltas = this.#held.get(key)?.deltas ?? [];
    for (const [index, delta] of deltas.entries()) if (isWrite(delta)) deltas[index] = { ...delta, writer };
  }
}
