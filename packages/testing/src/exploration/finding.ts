import type { Plan } from "../simulation/plan.ts";
import type { TraceEntry } from "../simulation/trace-entry.ts";
import type { Violation } from "./violation.ts";

/** Something that an operator does wrong, with the smallest scenario that shows it. */
export interface Finding {
  readonly violation: Violation;
  readonly plan: Plan;
  /** What happened in the run of that plan. */
  readonly entries: readonly TraceEntry[];
  /** The number of the run that found it. */
  readonly foundIn: number;
  /** How many faults the plan had at first, and operations. */
  readonly firstPlan: Plan;
  readonly shrinkingRuns: number;
  /** Whether it may be made smaller still, for which there was no time. */
  readonly isCutShort: boolean;
  /** How many more plans came to the same. */
  repeats: number;
  /** Whether it was the same when it was run again. */
  readonly isReproducible: boolean;
}
