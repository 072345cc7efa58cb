import type { Clock } from "@kaji/core";

/** How often a pause checks whether the event loop is blocked. */
const tickMs = 2000;
/** Timers may be late by this much without any code blocking the event loop. */
const toleranceMs = 250;

/** A wait that can be cut short. */
export class Pause {
  readonly #clock: Clock;
  /** Ends the wait of the moment. */
  #resume: () => void = () => {};
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it was cut short. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Cuts it short, for good. */
  end(): void {
    this.#isOver = true;
    this.#resume();
  }

  /** Waits, unless it is over. */
  async wait(delayMs: number): Promise<void> {
    if (this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    // Timers are no finer than a millisecond, and may come a little early.
    const timer = this.#clock.timer(Math.max(1, delayMs), resolve);
    await promise;
    timer[Symbol.dispose]();
  }
}

/**
 * Waits until a moment of the monotonic clock, or until the pause is over; resolves at once, with its length, when the event loop stood still for longer than a moment. The length is right to a second, one way or the other:
 * the loop may have stopped at any time between two looks.
 */
export async function pauseBlocks(clock: Clock, untilMs: number, pause: Pause): Promise<number> {
  for (;;) {
    const startMs = clock.monotonic();
    if (startMs >= untilMs || pause.isOver) return 0;
    const delayMs = Math.max(1, Math.min(tickMs, untilMs - startMs));
    await pause.wait(delayMs);
    if (pause.isOver) return 0;
    const lateMs = blockedMs(clock, startMs + delayMs);
    if (lateMs > 0) return lateMs + delayMs / 2;
  }
}

/** For how long the event loop stood still, at least, if a timer that was due fires now; 0 when it is in time. */
export function blockedMs(clock: Clock, dueMs: number): number {
  const lateMs = clock.monotonic() - dueMs;
  return lateMs > toleranceMs ? lateMs : 0;
}
