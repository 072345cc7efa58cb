import type { Clock } from "@kaji/core";
import type { Log } from "./log.ts";
import { Outage } from "./outage.ts";
import type { OutageOptions } from "./outage.ts";

/** Outages by what they are of. What is well takes no room. */
export class Outages<Key> {
  readonly #clock: Clock;
  readonly #options: OutageOptions;
  readonly #outages = new Map<Key, Outage>();

  constructor(clock: Clock, options: OutageOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  failed(key: Key, log: Log, error: unknown, fields: object): void {
    const outage = this.#outages.get(key) ?? new Outage(this.#clock, this.#options);
    this.#outages.set(key, outage);
    outage.failed(log, error, fields);
  }

  answered(key: Key, log: Log, fields: object): void {
    this.#outages.get(key)?.answered(log, fields);
    this.#outages.delete(key);
  }

  /** Forgets, without a word, what is not there any more. */
  keepOnly(keys: { has(key: Key): boolean }): void {
    for (const key of this.#outages.keys()) if (!keys.has(key)) this.#outages.delete(key);
  }
}
