import type { CountedOutcome } from "@kaji/runtime";
import { keyOfId } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import type { Fault, Plan } from "../simulation/plan.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";
import type { DynamicObject, JsonObject } from "@kaji/core";
import type { EndState } from "./end-state.ts";
import type { Claim } from "./observation.ts";
import type { Violation } from "./violation.ts";

/** The world when all has come to rest. */
export interface Rest {
  readonly state: EndState;
  /** All objects, as they are. */
  readonly objects: ReadonlyMap<ObjectId, DynamicObject>;
  /** What users wrote and others have written over, by the uid of the object. Empty where there are faults. */
  readonly overwritten: ReadonlyMap<string, JsonObject>;
}

/** What came of a run. */
export interface RunOutcome {
  readonly plan: Plan;
  readonly entries: readonly TraceEntry[];
  readonly end: EndState;
  readonly peaks: ReadonlyMap<string, number>;
  readonly orphans: readonly string[];
  readonly claims: readonly Claim[];
  /** Whose child each object is, or was when it went. */
  readonly owners: ReadonlyMap<ObjectId, ObjectId>;
  /** All objects, as they were when the first fault struck. */
  readonly atFault: ReadonlyMap<ObjectId, DynamicObject> | undefined;
  /** What there was when the first fault struck, of objects that are there in the end. */
  readonly lasting: EndState;
  /** Whether it came to rest. */
  readonly isRestless: boolean;
  /** Whether the operator still tries something again and again. */
  readonly isRetrying: boolean;
  /** Whether the operator took what somebody made of a child for what it wants itself: then another world is right. */
  readonly isAdopted: boolean;
  /** How it was at rest after each operation that was waited for. */
  readonly rests: ReadonlyMap<number, Rest>;
  /** Edits of others that are gone, though their objects are not. */
  readonly lostEdits: readonly string[];
  /** What was found while it went on. */
  readonly violations: readonly Violation[];
  /** Faults of the plan that did not strike. */
  readonly unstruck: readonly Fault[];
}

/** The writes of the operator in a run, in order. */
export function writesOf({ entries }: Pick<RunOutcome, "entries">): readonly Write[] {
  return entries.filter((entry) => entry.type === "Write");
}

/** What the operator made, by uid. */
export function madeBy(run: RunOutcome): ReadonlySet<string> {
  return new Set(writesOf(run).flatMap(({ verb, existed, uid }) => (verb !== "delete" && !existed && uid !== undefined ? [uid] : [])));
}

/** What a reconcile failed with. */
export interface Failure {
  readonly error: string;
  /** Whether it was `finalize` that failed. */
  readonly isFinalizing: boolean;
}

/** What the operator failed with when the run ended, if its last reconcile failed. */
export function lastFailure({ entries, isRetrying }: RunOutcome): Failure | undefined {
  const ended = isRetrying ? entries.findLast((entry) => entry.type === "Ended") : undefined;
  return ended !== undefined && isRetried(ended.outcome) ? failureOf(ended, entries) : undefined;
}

/** What a reconcile failed with that wrote something which the server refused; undefined if none did. One that goes on as if it had not has not failed. */
export function refusalIn(entries: readonly TraceEntry[]): Failure | undefined {
  const failed = entries.findLast((entry) => entry.type === "Ended" && isRetried(entry.outcome));
  return failed?.type === "Ended" && entries.some(isRefused) ? failureOf(failed, entries) : undefined;
}

function failureOf(
  { controller, key, error }: Extract<TraceEntry, { readonly type: "Ended" }>,
  entries: readonly TraceEntry[],
): Failure | undefined {
  const begun = entries.findLast(
    (entry) => entry.type === "Reconcile" && entry.controller === controller && keyOfId(entry.sight.object) === key,
  );
  return error === undefined ? undefined : { error, isFinalizing: begun?.type === "Reconcile" && begun.isFinalizing === true };
}

/** Whether a write of the operator was not done, for another reason than that somebody else was faster. */
export function isRefused(entry: TraceEntry): boolean {
  return entry.type === "Write" && entry.code >= 400 && entry.code !== 409;
}

/** An object that was there when all had come to rest and of which no reconcile ended well, with what the last one failed with. */
export function neverReconciled({ entries, rests }: RunOutcome): { readonly object: ObjectId; readonly failure: string } | undefined {
  const underWay = new Map<string, ObjectId>();
  const failed = new Map<string, { readonly object: ObjectId; readonly failure: string }>();
  const done = new Set<string>();
  for (const entry of entries) {
    // A controller works on an object once at a time.
    if (entry.type === "Reconcile" && entry.isFinalizing !== true) {
      underWay.set(`${entry.controller} ${keyOfId(entry.sight.object)}`, entry.sight.object);
    }
    if (entry.type !== "Ended") continue;
    const place = `${entry.controller} ${entry.key}`;
    const object = underWay.get(place);
    underWay.delete(place);
    if (object === undefined || entry.outcome === "Conflict" || entry.outcome === "NamespaceEnding") continue;
    if (isRetried(entry.outcome)) failed.set(place, { object, failure: entry.error ?? entry.outcome });
    else done.add(place);
  }
  const wasThere = (object: ObjectId): boolean => rests.values().some(({ objects }) => objects.has(object));
  for (const [place, failure] of failed) if (!done.has(place) && wasThere(failure.object)) return failure;
  return undefined;
}

function isRetried(outcome: CountedOutcome): boolean {
  return outcome === "Error" || outcome === "Timeout";
}
