import { bestScore } from "../score.ts";
import type { Score } from "../score.ts";

const names = ["cpu", "memory"] as const;

/** Prefers nodes that have most of their CPU and memory left. */
export const leastAllocated: Score = (pod, nodes) =>
  nodes.map(({ allocatable, presumed }) => {
    let sum = 0;
    let count = 0;
    for (const name of names) {
      const capacity = allocatable.get(name) ?? 0;
      if (capacity === 0) continue;
      const used = (presumed.get(name) ?? 0) + (pod.presumedRequests.get(name) ?? 0);
      sum += used > capacity ? 0 : Math.trunc(((capacity - used) * bestScore) / capacity);
      count++;
    }
    return count === 0 ? 0 : Math.trunc(sum / count);
  });
