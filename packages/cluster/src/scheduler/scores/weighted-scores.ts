import type { Score } from "../score.ts";
import { balancedAllocation } from "./balanced-allocation.ts";
import { evenSpread } from "./even-spread.ts";
import { fewestTaints } from "./fewest-taints.ts";
import { leastAllocated } from "./least-allocated.ts";
import { preferredNodes } from "./preferred-nodes.ts";
import { preferredPods } from "./preferred-pods.ts";

/** The measures by which nodes are compared, and what each weighs in kube-scheduler. */
export const weightedScores: readonly { readonly score: Score; readonly weight: number }[] = [
  { score: fewestTaints, weight: 3 },
  { score: preferredNodes, weight: 2 },
  { score: evenSpread, weight: 2 },
  { score: preferredPods, weight: 2 },
  { score: leastAllocated, weight: 1 },
  { score: balancedAllocation, weight: 1 },
];
