import type { Clock } from "../outside/clock.ts";

/** Remembers answers for a while, and asks only once for what several want to know at the same time. */
export class ExpiringCache<T> {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  /** The oldest first. */
  readonly #entries = new Map<string, { readonly value: Promise<T>; readonly untilMs: number }>();

  constructor(clock: Clock, lifeMs: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /** The answer under a key, from `ask` unless there is one that is young enough. A failure is not remembered. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const nowMs = this.#clock.monotonic();
    const present = this.#entries.get(key);
    if (present !== undefined && present.untilMs > nowMs) return present.value;
    for (const [old, { untilMs }] of this.#entries) {
      if (untilMs > nowMs && this.#entries.size < mostEntries) break;
      this.#entries.delete(old);
    }
    const value = ask();
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: nowMs + this.#lifeMs });
    value.catch(() => {
      if (this.#entries.get(key)?.value === value) this.#entries.delete(key);
    });
    return value;
  }
}

const mostEntries = 4096;
