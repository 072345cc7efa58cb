import type { ClusterState } from "./cluster-state.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

/** The best that a node can do by one measure. */
export const bestScore = 100;

/** How well each of the nodes suits a pod by one measure, from 0 to `bestScore`; undefined if they all do alike. */
export type Score = (pod: PodInfo, nodes: readonly NodeInfo[], state: ClusterState) => readonly number[] | undefined;

/** Stretches counts so that the highest becomes the best score. */
export function highestIsBest(counts: readonly number[]): readonly number[] | undefined {
  const highest = Math.max(...counts);
  return highest === 0 ? undefined : counts.map((count) => Math.trunc((bestScore * count) / highest));
}
