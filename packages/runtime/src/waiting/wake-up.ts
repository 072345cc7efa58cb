import { onAbort } from "@kaji/core";
import type { Clock } from "@kaji/core";

/** Lets a loop sleep until it is woken. A wake-up while it is awake is kept: the next sleep then ends at once. */
export class WakeUp {
  #isDue = false;
  #resume = (): void => {};

  /** Something has happened. */
  readonly wake = (): void => {
    this.#isDue = true;
    this.#resume();
  };

  /** Resolves when something has happened since the last time, when the time is over, or when the signal is aborted. */
  async wait(timeoutMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
    if (!this.#isDue && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      using _timer = clock.timer(timeoutMs, resolve);
      using _abort = onAbort(signal, () => resolve());
      await promise;
    }
    this.#isDue = false;
  }
}
