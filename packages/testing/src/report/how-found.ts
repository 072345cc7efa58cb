import type { Finding } from "../exploration/finding.ts";
import type { Plan } from "../simulation/plan.ts";
import { counted } from "./counted.ts";

/** Says how a finding came about: in which run, and how much of its plan was left out. */
export function howFound({ foundIn, firstPlan, shrinkingRuns, isCutShort, repeats }: Finding): string {
  return [
    `Found in run ${foundIn}, shrunk from ${sizeOf(firstPlan)} in ${counted(shrinkingRuns, "run")}.`,
    ...(isCutShort ? ["There was no time to make it smaller: a longer `budget` may."] : []),
    ...(repeats === 0 ? [] : [`${counted(repeats, "more plan")} came to the same.`]),
  ].join(" ");
}

/** How much happens in a plan. */
export function sizeOf({ ops, faults }: Plan): string {
  return `${counted(ops.length, "operation")} and ${counted(faults.length, "fault")}`;
}
