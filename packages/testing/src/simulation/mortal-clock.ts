import { sleepOn } from "@kaji/core";
import type { Clock } from "@kaji/core";

/** The time of a process that can be killed: from then on nothing is due any more. */
export class MortalClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<MortalTimer>();
  #isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  timer(delayMs: number, callback: () => void): Disposable {
    return this.#isDead ? never : new MortalTimer(this.#timers, this.#clock, delayMs, callback);
  }

  kill(): void {
    this.#isDead = true;
    for (const timer of this.#timers) timer[Symbol.dispose]();
  }
}

/** A timer that is among the others until it fires or is disposed of. */
class MortalTimer implements Disposable {
  readonly #timers: Set<MortalTimer>;
  readonly #timer: Disposable;

  constructor(timers: Set<MortalTimer>, clock: Clock, delayMs: number, callback: () => void) {
    this.#timers = timers;
    this.#timer = clock.timer(delayMs, () => {
      timers.delete(this);
      callback();
    });
    timers.add(this);
  }

  [Symbol.dispose](): void {
    this.#timers.delete(this);
    this.#timer[Symbol.dispose]();
  }
}

const never: Disposable = { [Symbol.dispose]: () => {} };
