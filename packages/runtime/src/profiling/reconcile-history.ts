import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Clock } from "@kaji/core";
import { RecentMap } from "@kaji/core";
import type { HttpReply } from "../manager/http-reply.ts";
import { reconcileChannel } from "../reconcile/reconcile-report.ts";
import type { ReconcileReport } from "../reconcile/reconcile-report.ts";
import { sentReport } from "../reconcile/sent-report.ts";
import type { TimedReport } from "../reconcile/sent-report.ts";

const mostObjects = 1000;
const mostOfAnObject = 20;

/**
 * What the last reconciles of objects did. It is made before controllers are: they note what they do for those who listen from the beginning. As HTTP it is one report on each line, the
 * oldest first.
 */
export class ReconcileHistory implements Disposable {
  readonly #clock: Clock;
  readonly #reports = new RecentMap<string, readonly TimedReport[]>(mostObjects);

  constructor(clock: Clock) {
    this.#clock = clock;
    subscribe(reconcileChannel, this.#note);
  }

  answer(): HttpReply {
    const reports = [...this.#reports.values()].flat().toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    return { status: 200, contentType: "application/x-ndjson", body: reports.map((report) => `${JSON.stringify(report)}\n`).join("") };
  }

  [Symbol.dispose](): void {
    unsubscribe(reconcileChannel, this.#note);
  }

  readonly #note = (message: unknown): void => {
    // Nobody else publishes on this channel.
    const report = message as ReconcileReport;
    const { controller, object } = report;
    const id = `${controller} ${object.key}`;
    const before = this.#reports.get(id) ?? [];
    const timed = { at: new Date(this.#clock.now()).toISOString(), ...sentReport(report) };
    // Put at the end: the one that has not been reconciled for longest is forgotten first.
    this.#reports.delete(id);
    this.#reports.set(id, [...before.slice(1 - mostOfAnObject), timed]);
  };
}
