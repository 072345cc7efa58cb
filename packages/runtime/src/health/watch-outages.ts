import { formatKind } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { WatchedKind } from "@kaji/informer";
import { kindId } from "../declare/kind-id.ts";
import type { Log } from "../log/log.ts";
import { Outages } from "../log/outages.ts";

const words = {
  begun: "list or watch failed; will retry",
  going: "list or watch still fails; will retry",
  over: "list and watch are answered again",
};

/** Tells of each kind whose list or watch fails, and when it is back. */
export class WatchOutages {
  readonly #log: Log;
  readonly #outages: Outages<string>;

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#outages = new Outages(clock, words);
  }

  failed(watched: WatchedKind, error: unknown, retryInMs: number): void {
    this.#outages.failed(keyOf(watched), this.#log, error, { ...fieldsOf(watched), retryInMs: Math.round(retryInMs) });
  }

  /** As `failed`, of what has a reason that is told elsewhere, or needs no telling. */
  expected(watched: WatchedKind, error: unknown, retryInMs: number): void {
    this.#log.debug({ ...fieldsOf(watched), retryInMs: Math.round(retryInMs), err: error }, words.begun);
  }

  answered(watched: WatchedKind): void {
    this.#outages.answered(keyOf(watched), this.#log, fieldsOf(watched));
  }
}

function keyOf({ resource, namespace = "" }: WatchedKind): string {
  return `${kindId(resource)} ${namespace}`;
}

function fieldsOf({ resource, namespace }: WatchedKind): object {
  return { kind: formatKind(resource), ...(namespace === undefined ? {} : { namespace }) };
}
