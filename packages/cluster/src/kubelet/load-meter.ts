import type { Clock } from "@kaji/core";
import type { ProcessorLoad } from "./pod-runtime.ts";

/** How long one measurement takes: as long as metrics-server waits from one look at the kubelets to the next. */
export const measuringMs = 15_000;

/** Measures again and again how busy something keeps processors, from when it is made until it is disposed of. */
export class LoadMeter implements Disposable {
  readonly #clock: Clock;
  /** The time of processors that was used so far; undefined if that cannot be told. */
  readonly #cpuMs: () => number | undefined;
  /** What the last look found. */
  #last: { readonly atMs: number; readonly cpuMs: number };
  #load: ProcessorLoad | undefined;
  #timer: Disposable;

  constructor(clock: Clock, cpuMs: () => number | undefined) {
    this.#clock = clock;
    this.#cpuMs = cpuMs;
    this.#last = { atMs: clock.now(), cpuMs: 0 };
    this.#timer = this.#wait();
  }

  /** Between the last two looks; undefined before the first is over. */
  get load(): ProcessorLoad | undefined {
    return this.#load;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #wait(): Disposable {
    return this.#clock.timer(measuringMs, () => {
      this.#look();
      this.#timer = this.#wait();
    });
  }

  #look(): void {
    const cpuMs = this.#cpuMs();
    if (cpuMs === undefined) return;
    const atMs = this.#clock.now();
    const windowMs = atMs - this.#last.atMs;
    // What is used up to now is less than before where a part of it has ended, and a clock may be set back: then nothing was measured.
    const isMeasured = windowMs > 0 && cpuMs >= this.#last.cpuMs;
    this.#load = isMeasured ? { cores: (cpuMs - this.#last.cpuMs) / windowMs, atMs, windowMs } : undefined;
    this.#last = { atMs, cpuMs };
  }
}
