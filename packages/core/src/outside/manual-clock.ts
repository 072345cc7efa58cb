import { sleepOn } from "./clock.ts";
import type { Clock } from "./clock.ts";

/**
 * A clock that stands still until it is told to go on.
 *
 * Timers fire in order of their time, and those of one moment in the order they were made. Between two moments all work that
 * became possible is done, so a chain of sleeps inside the advanced span completes.
 */
export class ManualClock implements Clock {
  /** Not yet fired nor disposed of, sorted by due time; of one moment, the one that was made first comes first. */
  readonly #timers: Timer[] = [];
  readonly #startMs: number;
  /** Since the start, and not since 1970: so far from zero a number is no finer than a fraction of a microsecond, and a shorter wait would not move it. */
  #elapsedMs = 0;

  constructor(start: Date | number = Date.UTC(2026, 0, 1)) {
    this.#startMs = Number(start);
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  timer(delayMs: number, callback: () => void): Disposable {
    const timer = new Timer(this.#timers, this.#elapsedMs + Math.max(0, delayMs), callback);
    timer.start();
    return timer;
  }

  /** How many timers wait to fire. */
  get pending(): number {
    return this.#timers.length;
  }

  /** When the next timer fires, in the terms of `now()`; undefined when none waits. */
  get nextDueMs(): number | undefined {
    const next = this.#timers[0];
    return next === undefined ? undefined : this.#startMs + next.dueMs;
  }

  /** Moves time forward, firing each timer at its moment and letting the work it released finish. */
  async advance(byMs: number): Promise<void> {
    const targetMs = this.#elapsedMs + byMs;
    await settle();
    await this.#fireUntil(targetMs);
    // Somebody who advanced at the same time may have come further.
    this.#elapsedMs = Math.max(this.#elapsedMs, targetMs);
  }

  /** Moves time to the next moment at which a timer fires, if there is one, as `advance` does. All that can be done before then must be done. */
  async advanceToNext(): Promise<void> {
    const next = this.#timers[0];
    if (next !== undefined) await this.#fireUntil(next.dueMs);
  }

  async #fireUntil(targetMs: number): Promise<void> {
    for (;;) {
      const next = this.#timers[0];
      if (next === undefined || next.dueMs > targetMs) return;
      this.#timers.shift();
      this.#elapsedMs = next.dueMs;
      next.callback();
      await settle();
    }
  }
}

/** A timer of a clock: it stands among the others from its start until it fires or is disposed of. */
class Timer implements Disposable {
  readonly #timers: Timer[];
  /** In the terms of `monotonic()`. */
  readonly dueMs: number;
  readonly callback: () => void;

  constructor(timers: Timer[], dueMs: number, callback: () => void) {
    this.#timers = timers;
    this.dueMs = dueMs;
    this.callback = callback;
  }

  /** Takes its place, from behind: those who are there already with the same time go first. */
  start(): void {
    const timers = this.#timers;
    timers.push(this);
    for (let at = timers.length - 1; at > 0; at--) {
      const before = timers[at - 1];
      if (before === undefined || before.dueMs <= this.dueMs) return;
      timers[at] = before;
      timers[at - 1] = this;
    }
  }

  [Symbol.dispose](): void {
    const index = this.#timers.indexOf(this);
    if (index >= 0) this.#timers.splice(index, 1);
  }
}

/** One turn of the event loop: every promise that can settle without I/O or time has settled by then. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
