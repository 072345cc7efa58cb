import type { Clock } from "@kaji/core";

/** The time of a process that can be killed: from then on nothing is due any more. */
export class MortalClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<Disposable>();
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

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    using _timer = this.timer(delayMs, resolve);
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  timer(delayMs: number, callback: () => void): Disposable {
    if (this.#isDead) return { [Symbol.dispose]: () => {} };
    const timer = this.#clock.timer(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
    return {
      [Symbol.dispose]: () => {
        this.#timers.delete(timer);
        timer[Symbol.dispose]();
      },
    };
  }

  kill(): void {
    this.#isDead = true;
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
  }
}
