import { errorMessage, messageWithCauses } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Log } from "./log.ts";

/** So long there is no further line of requests that go on failing. */
const reminderMs = 5 * 60_000;

/** What is said of requests that fail and are repeated. */
export interface OutageOptions {
  /** At first. */
  readonly begun: string;
  /** Now and then. */
  readonly going: string;
  /** In the end. */
  readonly over: string;
  /** Whether it is the user's own code that makes the requests, so that the place of an error in it matters. Default false. */
  readonly isOwnCode?: boolean;
}

/** Tells of requests that fail for a while: a line when the first one does, a rare reminder, and a line when one is answered again. Each single one is for those who debug. */
export class Outage {
  readonly #clock: Clock;
  readonly #options: OutageOptions;
  #present: { readonly since: string; toldMs: number; tries: number } | undefined;

  constructor(clock: Clock, options: OutageOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** A request failed. */
  failed(log: Log, error: unknown, fields: object = {}): void {
    const nowMs = this.#clock.monotonic();
    if (this.#present === undefined) {
      this.#present = { since: new Date(this.#clock.now()).toISOString(), toldMs: nowMs, tries: 1 };
      return log.warn({ ...fields, err: this.#told(error) }, this.#options.begun);
    }
    const { since, toldMs } = this.#present;
    const tries = ++this.#present.tries;
    if (nowMs - toldMs < reminderMs) return log.debug({ ...fields, since, tries, err: error }, this.#options.going);
    this.#present.toldMs = nowMs;
    log.warn({ ...fields, since, tries, err: this.#told(error) }, this.#options.going);
  }

  #told(error: unknown): unknown {
    return this.#options.isOwnCode === true ? error : saidBy(error);
  }

  /** A request was answered. */
  answered(log: Log, fields: object = {}): void {
    if (this.#present === undefined) return;
    const { since, tries } = this.#present;
    this.#present = undefined;
    // Whoever was told that it began is told that it is over, whatever the level.
    log.warn({ ...fields, since, tries }, this.#options.over);
  }
}

/** What an error says of a server. Where in the program it was thrown is of no help against a server that is away. */
function saidBy(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: errorMessage(error) };
  const reason = "reason" in error && typeof error.reason === "string" ? { reason: error.reason } : {};
  return { type: error.name, message: messageWithCauses(error), ...reason };
}
