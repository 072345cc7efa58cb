import { channel } from "node:diagnostics_channel";
import { formatApiVersion, objectKey, parseObjectKey } from "@kaji/core";
import type { KubeObject, NamespacedName, ObjectKey, Resource } from "@kaji/core";
import { asView } from "@kaji/informer";
import type { Delta } from "@kaji/informer";
import type { Controller } from "../declare/define-controller.ts";
import type { CacheReads, LiveReads } from "./reconcile-context.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { reconcileChannel } from "./reconcile-report.ts";
import type { ReconcileReport, ReportedObject, ReportedRead, ReportedWrite, Trigger } from "./reconcile-report.ts";

const reports = channel(reconcileChannel);

/** Opens the journal of a controller; undefined when `kaji:reconcile` has no subscriber. */
export function openJournal(controller: Controller): ReconcileJournal | undefined {
  return reports.hasSubscribers ? new ReconcileJournal(controller) : undefined;
}

/** Notes why objects are reconciled, and what their reconciles do, for the subscribers of the channel. */
export class ReconcileJournal {
  readonly #controller: Controller;
  /** By key, the triggers since its last reconcile began. */
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
    else triggers.push(trigger);
  }

  /** The key is enqueued by a change. */
  changed(key: ObjectKey, resource: Resource, delta: Delta<object>): void {
    const change = delta.type === "Added" && delta.initial ? "Found" : delta.type;
    this.asked(key, { type: "Change", change, ...reported(resource, delta.key) });
  }

  /** The key will be requeued after a delay; without a trigger, that is cancelled. */
  later(key: ObjectKey, trigger: Trigger | undefined): void {
    if (trigger === undefined) this.#later.delete(key);
    else this.#later.set(key, trigger);
  }

  /** A worker took the key: the triggers until now are those of this reconcile. */
  taken(key: ObjectKey): readonly Trigger[] {
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    const due = this.#later.get(key);
    return asked ?? (due === undefined ? [] : [due]);
  }

  /** Publishes the report of a reconcile that has ended. */
  ended({ id, key, notes }: Attempt, outcome: ReconcileOutcome, durationMs: number): void {
    const report: ReconcileReport = {
      controller: this.#controller.name,
      object: reported(this.#controller.resource, key),
      reconcileId: id,
      triggers: notes?.triggers ?? [],
      reads: notes?.reads ?? [],
      writes: notes?.writes ?? [],
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

/** Notes what one reconcile reads and writes. */
export class ReconcileNotes {
  readonly triggers: readonly Trigger[];
  readonly reads: ReportedRead[] = [];
  readonly writes: ReportedWrite[] = [];

  constructor(triggers: readonly Trigger[]) {
    this.triggers = triggers;
  }

  /** Notes that a write begins; call the returned function with its result. */
  write(verb: string, resource: Resource, address: NamespacedName): (became: KubeObject | Error | "Gone" | "Unchanged") => void {
    const index = this.writes.length;
    const object = reported(resource, objectKey(address));
    this.writes.push({ verb, ...object, result: "Sent", error: undefined });
    return (became) => {
      const error = became instanceof Error ? became : undefined;
      const result = error === undefined ? (became === "Unchanged" ? "Unchanged" : "Written") : "Refused";
      // With `generateName` the name is known only from the answer.
      const key = typeof became === "string" || became instanceof Error ? object.key : objectKey(became.metadata);
      this.writes[index] = { verb, ...object, key, result, error };
    };
  }

  /** The same reads, noted. */
  noting(reads: CacheReads<KubeObject>): CacheReads<KubeObject> {
    return {
      get: (of, address) => {
        const object = reads.get(of, address);
        this.#read("Cache", "get", asView(of).resource, keyOf(address), object === undefined ? 0 : 1);
        return object;
      },
      list: (of, query) => this.#counted("list", asView(of).resource, reads.list(of, query)),
      by: (of, index, value, query) => this.#counted("by", asView(of).resource, reads.by(of, index, value, query)),
      owned: (of) => this.#counted("owned", asView(of).resource, reads.owned(of)),
    };
  }

  /** The same live reads, noted. */
  notingLive(reads: LiveReads<KubeObject>): LiveReads<KubeObject> {
    return {
      get: async (resource, address) => {
        const object = await reads.get(resource, address);
        this.#read("Server", "get", resource, keyOf(address), object === undefined ? 0 : 1);
        return object;
      },
      list: async (resource, options) => {
        const found = await reads.list(resource, options);
        this.#read("Server", "list", resource, undefined, found.items.length);
        return found;
      },
    };
  }

  #read(
    from: ReportedRead["from"],
    verb: ReportedRead["verb"],
    resource: Resource,
    key: ObjectKey | undefined,
    found: number,
  ): { found: number } {
    const read = { from, verb, apiVersion: formatApiVersion(resource), kind: resource.kind, key, found };
    this.reads.push(read);
    return read;
  }

  /** Counts lazily: a reconcile that takes only the first of many objects has read one. */
  #counted<T>(verb: ReportedRead["verb"], resource: Resource, objects: Iterable<T>): IteratorObject<T, undefined> {
    const read = this.#read("Cache", verb, resource, undefined, 0);
    return Iterator.from(objects).map((object) => {
      read.found++;
      return object;
    });
  }
}

function reported(resource: Resource, key: ObjectKey): ReportedObject {
  return { apiVersion: formatApiVersion(resource), kind: resource.kind, key };
}

function keyOf(address: string | NamespacedName): ObjectKey {
  return objectKey(typeof address === "string" ? parseObjectKey(address) : address);
}
