import { bestScore, highestIsBest } from "../score.ts";
import type { Score } from "../score.ts";
import { isTolerated } from "../toleration.ts";

/** Prefers nodes with few taints of the kind that only asks pods to stay away, and that the pod does not tolerate. */
export const fewestTaints: Score = ({ tolerations }, nodes) => {
  const counts = nodes.map(({ node }) => {
    let count = 0;
    for (const taint of node.spec?.taints ?? []) if (taint.effect === "PreferNoSchedule" && !isTolerated(taint, tolerations)) count++;
    return count;
  });
  return highestIsBest(counts)?.map((score) => bestScore - score);
};
