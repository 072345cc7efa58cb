import type { Operation } from "../simulation/operation.ts";
import type { Fault } from "../simulation/plan.ts";
import type { Finding } from "./finding.ts";

/** What an exploration did. */
export interface Coverage {
  readonly runs: number;
  readonly seconds: number;
  readonly writes: number;
  readonly events: number;
  /** Of each sort of fault, how many plans there are and how many were run. */
  readonly faults: Readonly<Record<string, { readonly planned: number; readonly explored: number }>>;
  /** The same of plans of several faults at once. */
  readonly combinations: { readonly planned: number; readonly explored: number };
  /** In words. */
  readonly notExplored: readonly string[];
  /** Of a plan that was played again, what did not strike, and why that may be, in words. */
  readonly unstruck: readonly string[];
  /** Which masks of the test named nothing in any run, in words. */
  readonly idleMasks: readonly string[];
}

/** What an exploration did and found. */
export interface Explored {
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
  readonly operations: readonly Operation[];
}

/** Counts plans by the sort of their fault. */
export function countFaults(planned: readonly Fault[], explored: ReadonlySet<Fault>): Coverage["faults"] {
  const counts: Record<string, { planned: number; explored: number }> = {};
  for (const fault of planned) {
    const count = (counts[fault.type] ??= { planned: 0, explored: 0 });
    count.planned++;
    if (explored.has(fault)) count.explored++;
  }
  return counts;
}
