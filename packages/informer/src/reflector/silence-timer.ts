import type { Clock } from "@kaji/core";

/** Calls back when nothing was heard for so long. Hearing something costs no timer. */
export class SilenceTimer implements Disposable {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #limitMs: number;
  #heardMs: number;
  #timer: Disposable;

  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#limitMs = limitMs;
    this.#heardMs = clock.monotonic();
    this.#timer = this.#start(limitMs);
  }

  /** Something was heard; from now on silence may last as long as stated. */
  heard(limitMs: number): void {
    this.#heardMs = this.#clock.monotonic();
    if (limitMs < this.#limitMs) {
      this.#timer[Symbol.dispose]();
      this.#timer = this.#start(limitMs);
    }
    this.#limitMs = limitMs;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #start(delayMs: number): Disposable {
    return this.#clock.timer(delayMs, () => {
      const leftMs = this.#limitMs - (this.#clock.monotonic() - this.#heardMs);
      if (leftMs > 0) this.#timer = this.#start(leftMs);
      else this.#onSilence();
    });
  }
}
