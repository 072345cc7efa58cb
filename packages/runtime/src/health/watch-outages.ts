import { formatKind } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { WatchedKind } from "@kaji/informer";
import { kindId } from "../declare/kind-id.ts";
import type { Log } from "../log/log.ts";
import { Outage } from "../log/outage.ts";

const words = {
  begun: "list or watch failed; will retry",
  going: "list or watch still fails; will retry",
  over: "list and watch are answered again",
};

/** Tells of each kind whose list or watch fails, and when it is back. */
export class WatchOutages {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #outages = new Map<string, Outage>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  failed(watched: WatchedKind, error: unknown, retryInMs: number): void {
    const key = keyOf(watched);
    const outage = this.#outages.get(key) ?? new Outage(this.#clock, words);
    this.#outages.set(key, outage);
    outage.failed(this.#log, error, { ...fieldsOf(watched), retryInMs: Math.round(retryInMs) });
  }

  /** As `failed`, of what has a reason that is told elsewhere, or needs no telling. */
  expected(watched: WatchedKind, error: unknown, retryInMs: number): void {
    this.#log.debug({ ...fieldsOf(watched), retryInMs: Math.round(retryInMs), err: error }, words.begun);
  }

  answered(watched: WatchedKind): void {
    const key = keyOf(watched);
    this.#outages.get(key)?.answered(this.#log, fieldsOf(watched));
    this.#outages.delete(key);
  }
}

function keyOf({ resource, namespace = "" }: WatchedKind): string {
  return `${kindId(resource)} ${namespace}`;
}

function fieldsOf({ resource, namespace }: WatchedKind): object {
  return { kind: formatKind(resource), ...(namespace === undefined ? {} : { namespace }) };
}
