import { formatApiVersion } from "@kaji/core";
import type { ObjectKey, Resource } from "@kaji/core";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";

/**
 * Where a program with controllers tells what each reconcile did: a channel of `node:diagnostics_channel` by this name, whose messages are `ReconcileReport`s. Subscribe before
 * the controllers are made; without a subscriber nothing is noted.
 */
export const reconcileChannel = "kaji:reconcile";

/** Why one reconcile ran, what it read and wrote, and how it ended. */
export interface ReconcileReport {
  readonly controller: string;
  /** The object that was reconciled. */
  readonly object: ReportedObject;
  readonly reconcileId: string;
  /** Why it ran, in order. Several triggers that come together make one reconcile; of more than a hundred, the first are kept. */
  readonly triggers: readonly Trigger[];
  /** Its reads in order, without that of the object itself. */
  readonly reads: readonly ReportedRead[];
  /** Its writes in order, including those that found nothing to change. */
  readonly writes: readonly ReportedWrite[];
  /** Its calls of what effects are made of, in order. An effect that is as recorded, and has no `isIntact`, calls nothing. */
  readonly calls: readonly ReportedCall[];
  readonly outcome: ReconcileOutcome["type"];
  /** The error of a reconcile that failed. */
  readonly error: Error | undefined;
  /** The delay of `requeueAfter` or `recheckAfter`. */
  readonly requeueAfterMs: number | undefined;
  readonly durationMs: number;
}

/** An object, as reports name it. */
export interface ReportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly key: ObjectKey;
}

/** How reports name an object. */
export function reportedObject(resource: Resource, key: ObjectKey): ReportedObject {
  return { apiVersion: formatApiVersion(resource), kind: resource.kind, key };
}

/** Why an object is to be reconciled. */
export type Trigger =
  /** The object itself or a watched object that maps to it changed. `Found`: it was in the initial list. */
  | ({ readonly type: "Change"; readonly change: "Found" | "Added" | "Updated" | "Replaced" | "Deleted" | "Sync" } & ReportedObject)
  /** A source asked for it. */
  | { readonly type: "Source"; readonly name: string }
  /** The program called `enqueue` of the running controller. */
  | { readonly type: "Asked" }
  /** The time of a `requeueAfter` or `recheckAfter` has come. */
  | { readonly type: "Timer"; readonly afterMs: number }
  /** The reconcile before said `requeue()`. */
  | { readonly type: "Requeue" }
  /** The reconcile before failed; `attempt` counts the failures in a row. */
  | { readonly type: "Retry"; readonly attempt: number; readonly error: Error }
  /** A write of the reconcile before was refused with a Conflict. */
  | { readonly type: "Conflict" };

/** One read of a reconcile. */
export interface ReportedRead {
  readonly from: "Cache" | "Server";
  readonly verb: "get" | "get/log" | "get/scale" | "list" | "by" | "owned";
  readonly apiVersion: string;
  readonly kind: string;
  /** The key of a `get`, of an object or a part of it. */
  readonly key: ObjectKey | undefined;
  /** How many objects the read returned. */
  readonly found: number;
}

/** A finalizer that comes to an object or goes from it. */
export interface FinalizerChange {
  readonly change: "Add" | "Remove";
  readonly name: string;
}

/** One write of a reconcile: its verb, or what it is called in the context. */
export interface ReportedWrite extends ReportedObject {
  /** Such as `create`, `apply`, `patch/status`, `delete` or `evict`. */
  readonly verb: string;
  /** Which finalizer the write added or removed; undefined of a write that is no such. */
  readonly finalizer?: FinalizerChange | undefined;
  /** The annotation in which the write keeps something, such as the record of an effect; undefined of any other write. */
  readonly annotation?: string | undefined;
  /** The first field for which a child that was there was applied; undefined of any other write. */
  readonly field?: string | undefined;
  /** Which objects a deletion of many was of, such as `app=web`; undefined of any other write, and if it was of all in the namespace. */
  readonly selector?: string | undefined;
  /** The user as whom it was written, by `clientAs`; undefined of a write as the operator itself. */
  readonly as?: string | undefined;
  /** `Unchanged`: all was as wanted, and nothing was sent. `Sent`: no answer has come. */
  readonly result: "Sent" | "Written" | "Unchanged" | "Refused";
  /** Why it was refused. */
  readonly error: Error | undefined;
}

/** One call of what an effect is made of. */
export interface ReportedCall {
  /** The name of the effect. */
  readonly effect: string;
  readonly call: "ensure" | "isIntact" | "undo";
  /** `Broken`: what was made is not as it was made. `Unfinished`: it is not undone yet. `Sent`: the call has not ended. */
  readonly result: "Sent" | "Done" | "Intact" | "Broken" | "Unfinished" | "Failed";
  /** Why it failed. */
  readonly error: Error | undefined;
}
