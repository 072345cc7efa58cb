import { sleepOn } from "./clock.ts";
import type { Clock } from "./clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is told to go on.
 *
 * Timers fire in order of their time, and those of one moment in the order they were made. Between two moments all work that
 * became possible is done, so a chain of sleeps inside the advanced span completes.
 */
export class ManualClock implements Clock {
  /** Not yet fired nor disposed of, sorted by due time, then by order. */
  readonly #timers: Timer[] = [];
  #nowMs: number;
  readonly #startMs: number;
  #order = 0;

  constructor(start: Date | number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = Number(start);
    this.#startMs = this.#nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  timer(delayMs: number, callback: () => void): Disposable {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    const at = this.#timers.findLastIndex((other) => other.dueMs <= timer.dueMs);
    this.#timers.splice(at + 1, 0, timer);
    return {
      [Symbol.dispose]: () => {
        const index = this.#timers.indexOf(timer);
        if (index >= 0) this.#timers.splice(index, 1);
      },
    };
  }

  /** How many timers wait to fire. */
  get pending(): number {
    return this.#timers.length;
  }

  /** When the next timer fires, in the terms of `now()`; undefined when none waits. */
  get nextDueMs(): number | undefined {
    return this.#timers[0]?.dueMs;
  }

  /** Moves time forward, firing each timer at its moment and letting the work it released finish. */
  async advance(byMs: number): Promise<void> {
    const targetMs = this.#nowMs + byMs;
    await settle();
    for (;;) {
      const next = this.#timers[0];
      if (next === undefined || next.dueMs > targetMs) break;
      this.#timers.shift();
      this.#nowMs = next.dueMs;
      next.callback();
      await settle();
    }
    // Somebody who advanced at the same time may have come further.
    this.#nowMs = Math.max(this.#nowMs, targetMs);
  }
}

/** One turn of the event loop: every promise that can settle without I/O or time has settled by then. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
