import { TimeLimit } from "@kaji/core";
import type { Clock, ObjectKey } from "@kaji/core";
import type { Delta } from "./delta.ts";

/** No write holds anything back for longer, whatever becomes of its answer. */
const longestHoldMs = 10_000;

/** What happened to an object since the first of the writes to it began that are under way. */
interface Held<O> {
  readonly key: ObjectKey;
  writes: number;
  readonly deltas: Delta<O>[];
}

/** What happened to objects while they were being written: held back until the answer says which of it was the write itself. */
export class HeldDeltas<O> {
  readonly #limit: TimeLimit;
  readonly #release: (deltas: readonly Delta<O>[]) => void;
  readonly #held = new Map<ObjectKey, Held<O>>();

  constructor(clock: Clock, release: (deltas: readonly Delta<O>[]) => void) {
    this.#limit = new TimeLimit(clock, longestHoldMs);
    this.#release = (deltas) => release(ownUntilOthers(deltas));
  }

  /** A write begins; it ends when this is disposed of. */
  begin(key: ObjectKey): Disposable {
    const held = this.#held.get(key) ?? { key, writes: 0, deltas: [] };
    this.#held.set(key, held);
    held.writes++;
    return new Hold(this.#limit, () => this.#end(held));
  }

  #end(held: Held<O>): void {
    if (--held.writes > 0) return;
    this.#held.delete(held.key);
    this.#release(held.deltas);
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

/** A write that is under way, until it ends or takes too long. A class: an object with a computed name takes far longer to make. */
class Hold implements Disposable {
  readonly #limited: Disposable;
  #onEnd: (() => void) | undefined;

  constructor(limit: TimeLimit, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#limited = limit.begin(() => this[Symbol.dispose]());
  }

  [Symbol.dispose](): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    this.#limited[Symbol.dispose]();
    onEnd?.();
  }
}

/** A write that changes nothing is answered with the version of the last change, whoever made that. So what follows on the work of others may be theirs too, but for a deletion, which is answered with what it deleted. */
function ownUntilOthers<O>(deltas: readonly Delta<O>[]): readonly Delta<O>[] {
  const others = deltas.findIndex(({ writer }) => writer === undefined);
  if (others < 0) return deltas;
  return deltas.map((delta, index) => (index > others && delta.type !== "Deleted" ? { ...delta, writer: undefined } : delta));
}
