import { TimeLimit, onAbort } from "@kaji/core";
import type { Clock, ObjectKey } from "@kaji/core";
import { DeadlineError } from "../declare/deadline-error.ts";

/** How long one read may take: the others wait for it. */
const longestMs = 5 * 60_000;
const advice = "pass its signal to what it waits for";

/** Reads of something outside, one at a time for each object, which fail when they take too long. */
export class TimedReads {
  readonly #limit: TimeLimit;
  readonly #signal: AbortSignal;
  /** Objects whose read has begun and not ended, be it too late. */
  readonly #underWay = new Set<ObjectKey>();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#limit = new TimeLimit(clock, longestMs);
    this.#signal = signal;
  }

  /** Reads for an object; rejects with a `DeadlineError` if that takes too long, or the read before has not ended. */
  async read<R>(key: ObjectKey, read: (signal: AbortSignal) => Promise<R> | R): Promise<R> {
    if (this.#underWay.has(key)) throw new DeadlineError(`the last poll of ${key} has still not ended; ${advice}`);
    const late = Promise.withResolvers<never>();
    const end = new AbortController();
    using _limit = this.#limit.begin(() => {
      const error = new DeadlineError(`the poll of ${key} took longer than ${longestMs / 1000} s; ${advice}`);
      end.abort(error);
      late.reject(error);
    });
    using _end = onAbort(this.#signal, (reason) => end.abort(reason));
    this.#underWay.add(key);
    const reading = Promise.try(() => read(end.signal)).finally(() => this.#underWay.delete(key));
    return await Promise.race([reading, late.promise]);
  }
}
