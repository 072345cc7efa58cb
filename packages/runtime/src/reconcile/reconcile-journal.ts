import { channel } from "node:diagnostics_channel";
import type { ObjectKey, Resource } from "@kaji/core";
import type { Delta } from "@kaji/informer";
import type { Controller } from "../declare/define-controller.ts";
import type { ReconcileNotes } from "./reconcile-notes.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { reconcileChannel, reportedObject } from "./reconcile-report.ts";
import type { ReconcileReport, Trigger } from "./reconcile-report.ts";

const reports = channel(reconcileChannel);

/** An object that rests, or whose reconcile does not end, may be asked for without end. */
const mostTriggers = 100;

/** Opens the journal of a controller; undefined when `kaji:reconcile` has no subscriber. */
export function openJournal(controller: Controller): ReconcileJournal | undefined {
  return reports.hasSubscribers ? new ReconcileJournal(controller) : undefined;
}

/** Notes why objects are reconciled, and what their reconciles do, for the subscribers of the channel. */
export class ReconcileJournal {
  readonly #controller: Controller;
  /** By key, the first triggers since its last reconcile began. */
  readonly #asked = new Map<ObjectKey, Trigger[]>();
  /** By key, the trigger of its delayed requeue. */
  readonly #later = new Map<ObjectKey, Trigger>();

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** The key is enqueued by a trigger. */
  asked(key: ObjectKey, trigger: Trigger): void {
    const triggers = this.#asked.get(key);
    if (triggers === undefined) this.#asked.set(key, [trigger]);
    else if (triggers.length < mostTriggers) triggers.push(trigger);
  }

  /** The key is enqueued by a change. */
  changed(key: ObjectKey, resource: Resource, delta: Delta<object>): void {
    const change = delta.type === "Added" && delta.initial ? "Found" : delta.type;
    this.asked(key, { type: "Change", change, ...reportedObject(resource, delta.key) });
  }

  /** The key will be requeued after a delay; without a trigger, that is cancelled. */
  later(key: ObjectKey, trigger: Trigger | undefined): void {
    if (trigger === undefined) this.#later.delete(key);
    else this.#later.set(key, trigger);
  }

  /** The delay of the key is over, if it had one: it is enqueued by what it waited for. */
  due(key: ObjectKey): void {
    const trigger = this.#later.get(key);
    this.#later.delete(key);
    if (trigger !== undefined) this.asked(key, trigger);
  }

  /** A worker took the key: the triggers until now are those of this reconcile. */
  taken(key: ObjectKey): readonly Trigger[] {
    const asked = this.#asked.get(key) ?? [];
    this.#asked.delete(key);
    return asked;
  }

  /** Publishes the report of a reconcile that has ended. */
  ended({ id, key, notes }: Attempt, outcome: ReconcileOutcome, durationMs: number): void {
    const report: ReconcileReport = {
      controller: this.#controller.name,
      object: reportedObject(this.#controller.resource, key),
      reconcileId: id,
      triggers: notes?.triggers ?? [],
      reads: notes?.reads ?? [],
      writes: notes?.writes ?? [],
      calls: notes?.calls ?? [],
      outcome: outcome.type,
      error: "error" in outcome ? outcome.error : undefined,
      requeueAfterMs: "delayMs" in outcome ? outcome.delayMs : undefined,
      durationMs,
    };
    reports.publish(report);
  }
}

/** The part of a reconcile that a report needs. */
interface Attempt {
  readonly id: string;
  readonly key: ObjectKey;
  readonly notes: ReconcileNotes | undefined;
}
