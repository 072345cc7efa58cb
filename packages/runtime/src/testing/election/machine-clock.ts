import { sleepOn } from "@kaji/core";
import type { Clock } from "@kaji/core";

/** The clock of one machine among several: it may be off, run fast or slow, stand still with the machine, or be kept from firing by code that does not yield. */
export class MachineClock implements Clock {
  readonly #time: Clock;
  readonly #rate: number;
  #skewMs: number;
  /** How long the machine has been suspended in all. */
  #suspendedMs = 0;
  /** Until then nothing happens on this machine, in true time. */
  #stillUntilMs = 0;

  constructor(time: Clock, { rate = 1, skewMs = 0 }: { readonly rate?: number; readonly skewMs?: number } = {}) {
    this.#time = time;
    this.#rate = rate;
    this.#skewMs = skewMs;
  }

  now(): number {
    return this.#time.now() + this.#skewMs;
  }

  monotonic(): number {
    return (this.#time.monotonic() - this.#suspendedMs) * this.#rate;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  timer(delayMs: number, callback: () => void): Disposable {
    let timer: Disposable;
    const fire = (): void => {
      const stillMs = this.#stillUntilMs - this.#time.monotonic();
      if (stillMs > 0) timer = this.#time.timer(Math.max(1, stillMs), fire);
      else callback();
    };
    timer = this.#time.timer(delayMs / this.#rate, fire);
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }

  get isStill(): boolean {
    return this.#stillUntilMs > this.#time.monotonic();
  }

  /** Code on this machine does not yield for so long. */
  block(forMs: number): void {
    this.#stillUntilMs = Math.max(this.#stillUntilMs, this.#time.monotonic() + forMs);
  }

  /** The machine is suspended for so long: its monotonic clock does not count it. */
  suspend(forMs: number): void {
    this.block(forMs);
    this.#suspendedMs += forMs;
  }

  /** The wall clock is set, as NTP does. */
  jump(byMs: number): void {
    this.#skewMs += byMs;
  }
}
