import { errorMessage, messageWithCauses } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Log } from "./log.ts";

/** So long there is no further line of requests that go on failing. */
const reminderMs = 5 * 60_000;

/** What is said of requests that fail and are repeated: at first, now and then, and in the end. */
export interface OutageWords {
  readonly begun: string;
  readonly going: string;
  readonly over: string;
}

/** Tells of requests that fail for a while: a line when the first one does, a rare reminder, and a line when one is answered again. Each single one is for those who debug. */
export class Outage {
  readonly #clock: Clock;
  readonly #words: OutageWords;
  #present: { readonly since: string; toldMs: number; tries: number } | undefined;

  constructor(clock: Clock, words: OutageWords) {
    this.#clock = clock;
    this.#words = words;
  }

  /** A request failed. */
  failed(log: Log, error: unknown, fields: object = {}): void {
    const nowMs = this.#clock.monotonic();
    if (this.#present === undefined) {
      this.#present = { since: new Date(this.#clock.now()).toISOString(), toldMs: nowMs, tries: 1 };
      return log.warn({ ...fields, err: saidBy(error) }, this.#words.begun);
    }
    const { since, toldMs } = this.#present;
    const tries = ++this.#present.tries;
    if (nowMs - toldMs < reminderMs) return log.debug({ ...fields, since, tries, err: error }, this.#words.going);
    this.#present.toldMs = nowMs;
    log.warn({ ...fields, since, tries, err: saidBy(error) }, this.#words.going);
  }

  /** A request was answered. */
  answered(log: Log, fields: object = {}): void {
    if (this.#present === undefined) return;
    const { since, tries } = this.#present;
    this.#present = undefined;
    // Whoever was told that it began is told that it is over, whatever the level.
    log.warn({ ...fields, since, tries }, this.#words.over);
  }
}

/** What an error says of a server. Where in the program it was thrown is of no help against a server that is away. */
function saidBy(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: errorMessage(error) };
  const reason = "reason" in error && typeof error.reason === "string" ? { reason: error.reason } : {};
  return { type: error.name, message: messageWithCauses(error), ...reason };
}
