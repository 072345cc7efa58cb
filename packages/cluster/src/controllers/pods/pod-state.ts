import { findCondition, structuralEqual } from "@kaji/core";
import type { ObjectChange } from "@kaji/runtime";
import type { Pod, PodCondition } from "@kaji/types/core/v1";
import { saidTimeMs } from "../said-time.ts";

/** Whether a pod does or will do its work: it has neither ended nor been told to. */
export function isPodActive(pod: Pod): boolean {
  return !hasPodEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether all containers of a pod have ended, and none will be started again. */
export function hasPodEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Whether a pod has been told to end, and has not yet. */
export function isPodTerminating(pod: Pod): boolean {
  return !hasPodEnded(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** Whether a pod says that it can serve. */
export function isPodReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Whether the scheduler has looked for a node for a pod, and found none. */
export function isPodUnschedulable({ status }: Pod): boolean {
  return findCondition(status?.conditions, "PodScheduled")?.status === "False";
}

/** Whether a pod has been ready for long enough. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (minReadySeconds === 0) return isPodReady(pod);
  const sinceMs = podReadyMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs;
}

/** When a ready pod became so; undefined if it is not ready or does not say when. */
export function podReadyMs(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  return condition?.status === "True" ? saidTimeMs(condition.lastTransitionTime) : undefined;
}

/** After how long the next of the ready pods will have been ready for long enough; undefined if none is waiting for that. */
export function nextAvailabilityMs(pods: Iterable<Pod>, minReadySeconds: number, nowMs: number): number | undefined {
  // Where a pod is available as soon as it is ready, none waits, and there may be many to look at.
  if (minReadySeconds === 0) return undefined;
  let nextMs: number | undefined;
  for (const pod of pods) {
    const sinceMs = podReadyMs(pod);
    if (sinceMs === undefined || isPodAvailable(pod, minReadySeconds, nowMs)) continue;
    const waitMs = sinceMs + minReadySeconds * 1000 - nowMs;
    nextMs = Math.min(nextMs ?? waitMs, waitMs);
  }
  return nextMs;
}

/** Whether a change of a pod matters to controllers that count pods: its labels, owners, readiness or end. Other steps of its life do not. */
export function isCountedOtherwise({ object, previous }: ObjectChange<Pod>): boolean {
  return object === undefined || previous === undefined || !structuralEqual(countedFacts(object), countedFacts(previous));
}

function countedFacts(pod: Pod): readonly unknown[] {
  const { labels, ownerReferences, deletionTimestamp } = pod.metadata;
  const { status, lastTransitionTime } = readyCondition(pod) ?? {};
  return [labels, ownerReferences, deletionTimestamp, status, lastTransitionTime, hasPodEnded(pod)];
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
