import { bestScore } from "../score.ts";
import type { Score } from "../score.ts";

/** Prefers nodes that have most of their CPU and memory left. */
export const leastAllocated: Score = (pod, nodes) =>
  nodes.map(({ allocatable, presumed }) => {
    let [sum, count] = [0, 0];
    for (const name of ["cpu", "memory"]) {
      const capacity = allocatable.get(name) ?? 0;
      if (capacity === 0) continue;
      const used = (presumed.get(name) ?? 0) + (pod.presumedRequests.get(name) ?? 0);
      sum += used > capacity ? 0 : Math.trunc(((capacity - used) * bestScore) / capacity);
      count++;
    }
    return count === 0 ? 0 : Math.trunc(sum / count);
  });
