import type { Clock } from "./clock.ts";

/**
 * How long things of one sort may take, with one timer for all of them. Nearly all end long before, and there are thousands of them in a second: a timer for each would
 * take longer than to note that it began and ended.
 */
export class TimeLimit {
  readonly lengthMs: number;
  readonly #clock: Clock;
  /** What has begun and not ended, oldest first, which is first due. */
  readonly #begun = new Set<Limited>();
  /** Due when the oldest is, or before; undefined when there is none. */
  #timer: Disposable | undefined;

  constructor(clock: Clock, lengthMs: number) {
    this.#clock = clock;
    this.lengthMs = lengthMs;
  }

  /** Something begins; it ends when this is disposed of. Calls back if that takes too long. */
  begin(onOver: () => void): Disposable {
    const limited = new Limited(this.#clock.monotonic() + this.lengthMs, onOver, this.#end);
    this.#begun.add(limited);
    this.#timer ??= this.#clock.timer(this.lengthMs, this.#look);
    return limited;
  }

  readonly #end = (limited: Limited): void => {
    if (!this.#begun.delete(limited) || this.#begun.size > 0) return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  };

  readonly #look = (): void => {
    const nowMs = this.#clock.monotonic();
    const over: Limited[] = [];
    this.#timer = undefined;
    for (const limited of this.#begun) {
      if (limited.dueMs > nowMs) {
        this.#timer = this.#clock.timer(limited.dueMs - nowMs, this.#look);
        break;
      }
      this.#begun.delete(limited);
      over.push(limited);
    }
    for (const { onOver } of over) onOver();
  };
}

class Limited implements Disposable {
  readonly dueMs: number;
  readonly onOver: () => void;
  readonly #onEnd: (limited: Limited) => void;

  constructor(dueMs: number, onOver: () => void, onEnd: (limited: Limited) => void) {
    this.dueMs = dueMs;
    this.onOver = onOver;
    this.#onEnd = onEnd;
  }

  [Symbol.dispose](): void {
    this.#onEnd(this);
  }
}
