import type { Fault, Plan } from "../simulation/plan.ts";
import type { Operation } from "../simulation/operation.ts";
import { keyOf } from "./oracles.ts";
import { simplerObjects } from "./simpler-values.ts";
import type { Judge, Verdict } from "./judge.ts";
import type { Violation } from "./violation.ts";

/** The smallest plan found that breaks the same thing. */
export interface Shrunk {
  readonly plan: Plan;
  readonly verdict: Verdict;
  readonly violation: Violation;
  /** How many plans were tried. */
  readonly tried: number;
  /** Whether it was given up for want of time. */
  readonly isCutShort: boolean;
}

/** How long a plan is made smaller. */
export interface ShrinkLimits {
  /** How many plans are tried. */
  readonly runs: number;
  readonly isLate: () => boolean;
}

/** Makes a plan smaller for as long as the same oracle finds the same subject, and the same failure: fewer faults, fewer operations, simpler faults, simpler values. */
export async function shrink(
  judge: Pick<Judge, "judge" | "operations">,
  plan: Plan,
  { verdict, violation }: Found,
  { runs, isLate }: ShrinkLimits,
): Promise<Shrunk> {
  let best = { plan, verdict, violation };
  let tried = 0;
  const { operations } = judge;
  for (let candidates = simplerPlans(plan, operations); tried < runs;) {
    const { value: candidate } = candidates.next();
    if (candidate === undefined) break;
    if (isLate()) return { ...best, tried, isCutShort: true };
    tried++;
    const next = await judge.judge(candidate);
    const same = next.violations.find((each) => keyOf(each) === keyOf(violation));
    const isRefused = next.run.entries.some(({ type }) => type === "OpFailed");
    if (same === undefined || isRefused || next.run.unstruck.length > 0) continue;
    best = { plan: candidate, verdict: next, violation: same };
    candidates = simplerPlans(candidate, operations);
  }
  return { ...best, tried, isCutShort: false };
}

/** What was found, and in which run. */
export interface Found {
  readonly verdict: Verdict;
  readonly violation: Violation;
}

/** Plans that are one step simpler, the greatest steps first. */
function* simplerPlans(plan: Plan, operations: readonly Operation[]): Generator<Plan, undefined> {
  const { ops, faults, values = {} } = plan;
  for (const fault of faults) yield { ...plan, faults: faults.filter((each) => each !== fault) };
  for (const op of ops.toReversed()) {
    if (ops.length > 1 && !faults.some((fault) => "op" in fault && fault.op === op))
      yield { ...plan, ops: ops.filter((each) => each !== op) };
  }
  for (const fault of faults) {
    for (const simpler of [...earlierFaults(fault, ops), ...simplerFaults(fault)])
      yield { ...plan, faults: faults.map((each) => (each === fault ? simpler : each)) };
  }
  for (const op of ops) {
    const value = values[String(op)] ?? operations[op]?.value;
    if (value === undefined) continue;
    for (const simpler of simplerObjects(value)) yield { ...plan, values: { ...values, [String(op)]: simpler } };
  }
  return undefined;
}

/** The same fault after the operation before: then those after that can be left out. */
function earlierFaults(fault: Fault, ops: readonly number[]): readonly Fault[] {
  if (!("op" in fault)) return [];
  const before = ops[ops.indexOf(fault.op) - 1];
  return before === undefined ? [] : [{ ...fault, op: before }];
}

function simplerFaults(fault: Fault): readonly Fault[] {
  if ((fault.type === "Crash" || fault.type === "Restart") && fault.down !== "Short") return [{ ...fault, down: "Short" }];
  if (fault.type === "Refuse" && (fault.reason ?? fault.words) !== undefined) return [{ type: "Refuse", at: fault.at }];
  if (fault.type === "Interfere" && fault.how !== undefined) return [{ type: "Interfere", at: fault.at }];
  if (fault.type === "Lag" && fault.until !== "Seconds") return [{ ...fault, until: "Seconds" }];
  return [];
}
