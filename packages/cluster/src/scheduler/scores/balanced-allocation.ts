import { bestScore } from "../score.ts";
import type { NodeInfo } from "../node-info.ts";
import type { Score } from "../score.ts";

/** Prefers nodes that the pod brings nearer to using the same part of their CPU as of their memory. */
export const balancedAllocation: Score = ({ requests }, nodes) => {
  const [cpu, memory] = [requests.get("cpu") ?? 0, requests.get("memory") ?? 0];
  if (cpu === 0 && memory === 0) return undefined;
  return nodes.map((node) => {
    const gain = balance(node, cpu, memory) - balance(node, 0, 0);
    return bestScore / 2 + Math.trunc((bestScore / 2 + gain) / 2);
  });
};

/** Between half the best score and all of it: how near the used part of CPU is to that of memory, with so much more of each in use. */
function balance({ allocatable, requested }: NodeInfo, moreCpu: number, moreMemory: number): number {
  const [cpu, memory] = [allocatable.get("cpu") ?? 0, allocatable.get("memory") ?? 0];
  if (cpu === 0 || memory === 0) return bestScore;
  const usedCpu = Math.min(1, ((requested.get("cpu") ?? 0) + moreCpu) / cpu);
  const usedMemory = Math.min(1, ((requested.get("memory") ?? 0) + moreMemory) / memory);
  return Math.trunc((1 - Math.abs(usedCpu - usedMemory) / 2) * bestScore);
}
