import type { ObjectId } from "../simulation/object-id.ts";
import type { Fault, Plan } from "../simulation/plan.ts";
import type { TraceEntry, Write } from "../simulation/trace.ts";
import type { DynamicObject } from "@kaji/core";
import type { EndState } from "./end-state.ts";
import type { Claim } from "./observation.ts";
import type { Violation } from "./violation.ts";

/** The world when all has come to rest. */
export interface Rest {
  readonly state: EndState;
  /** All objects, as they are. */
  readonly objects: ReadonlyMap<ObjectId, DynamicObject>;
}

/** What came of a run. */
export interface RunOutcome {
  readonly plan: Plan;
  readonly entries: readonly TraceEntry[];
  readonly end: EndState;
  readonly peaks: ReadonlyMap<string, number>;
  readonly orphans: readonly string[];
  readonly claims: readonly Claim[];
  /** All objects, as they were when the first fault struck. */
  readonly atFault: ReadonlyMap<ObjectId, DynamicObject> | undefined;
  /** What there was when the first fault struck, of objects that are there in the end. */
  readonly lasting: EndState;
  /** Whether it came to rest. */
  readonly isRestless: boolean;
  /** Whether the operator still tries something again and again. */
  readonly isRetrying: boolean;
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
export function writesOf({ entries }: RunOutcome): readonly Write[] {
  return entries.filter((entry) => entry.type === "Write");
}

/** What the operator failed with when the run ended, if its last reconcile failed. */
export function lastFailure({ entries, isRetrying }: RunOutcome): string | undefined {
  if (!isRetrying) return undefined;
  const ended = entries.findLast((entry) => entry.type === "Ended");
  if (ended?.outcome !== "Error" && ended?.outcome !== "Timeout") return undefined;
  return entries.findLast((entry) => entry.type === "Error")?.text ?? ended.outcome;
}
