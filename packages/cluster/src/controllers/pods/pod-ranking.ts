import { parseTime } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { isPodActive, isPodReady, podReadyMs } from "./pod-state.ts";

/** The pods in the order in which they are given up: those first that are missed least. `related` are all that share a purpose with them. */
export function rankForDeletion(pods: readonly Pod[], related: Iterable<Pod>, nowMs: number): readonly Pod[] {
  const onNode = new Map<string, number>();
  for (const pod of related) if (isPodActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  const neighbours = (pod: Pod): number => onNode.get(nodeOf(pod)) ?? 0;
  return pods.toSorted(
    (left, right) =>
      Number(nodeOf(left) !== "") - Number(nodeOf(right) !== "") ||
      phaseRank(left) - phaseRank(right) ||
      Number(isPodReady(left)) - Number(isPodReady(right)) ||
      deletionCost(left) - deletionCost(right) ||
      neighbours(right) - neighbours(left) ||
      byAge(podReadyMs(left), podReadyMs(right), left, right, nowMs) ||
      regularRestarts(right) - regularRestarts(left) ||
      sidecarRestarts(right) - sidecarRestarts(left) ||
      byAge(createdMs(left), createdMs(right), left, right, nowMs),
  );
}

const phases = ["Pending", "Unknown", "Running"];

function phaseRank({ status }: Pod): number {
  return Math.max(0, phases.indexOf(status?.phase ?? ""));
}

/** What the pod's annotation says it costs to delete it, a 32-bit integer; anything else counts as nothing. */
function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? "";
  const cost = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : 0;
  return Math.trunc(cost) === (cost | 0) ? cost : 0;
}

/** The younger first, an unknown age before any; ages of the same power of two count as equal, so that chance spreads deletions. */
function byAge(leftMs: number | undefined, rightMs: number | undefined, left: Pod, right: Pod, nowMs: number): number {
  if (leftMs === rightMs) return 0;
  if (leftMs === undefined || rightMs === undefined) return leftMs === undefined ? -1 : 1;
  const difference = magnitude(nowMs - leftMs) - magnitude(nowMs - rightMs);
  if (difference !== 0) return difference;
  return (left.metadata.uid ?? "") < (right.metadata.uid ?? "") ? -1 : 1;
}

/** In nanoseconds, as Kubernetes measures. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function regularRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function sidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set((spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name));
  const statuses = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}

function createdMs({ metadata }: Pod): number | undefined {
  return metadata.creationTimestamp === undefined ? undefined : parseTime(metadata.creationTimestamp);
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? "";
}
