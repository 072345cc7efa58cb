import { parseTime } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { hasPodEnded } from "./pod-state.ts";

/** A pod that ends is replaced, but not faster than this: one that fails at once would be made again and again. */
const shortestLifeMs = 1000;

/** Whether a pod has ended, and may be replaced. */
export function isReplaceable(pod: Pod, nowMs: number): boolean {
  return hasPodEnded(pod) && waitMs(pod, nowMs) <= 0;
}

/** After how long the next of the pods that have ended may be replaced; undefined if none waits for that. */
export function nextReplacementMs(pods: readonly Pod[], nowMs: number): number | undefined {
  const waits = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && hasPodEnded(pod)).map((pod) => waitMs(pod, nowMs));
  const left = waits.filter((ms) => ms > 0);
  return left.length === 0 ? undefined : Math.min(...left);
}

function waitMs({ metadata }: Pod, nowMs: number): number {
  return metadata.creationTimestamp === undefined ? 0 : parseTime(metadata.creationTimestamp) + shortestLifeMs - nowMs;
}
