import type { StatefulSet } from "@kaji/types/apps/v1";
import type { Pod } from "@kaji/types/core/v1";
import { revisionLabel } from "../history/controller-history.ts";
import { isReplaceable } from "../pods/pod-replacement.ts";
import { hasPodEnded, isPodAvailable, isPodReady } from "../pods/pod-state.ts";
import { identityLabels, ordinalOf } from "./stateful-pod.ts";
import type { StatefulRevision } from "./stateful-pod.ts";

/** What a StatefulSet and its pods are like at one moment. */
export interface StatefulState {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** The revision that pods were of before the present update. */
  readonly current: StatefulRevision;
  /** The revision of the present template. */
  readonly update: StatefulRevision;
  readonly nowMs: number;
}

/** One thing to do about a pod. */
export type StatefulStep =
  | { readonly type: "Create"; readonly ordinal: number; readonly revision: StatefulRevision }
  | { readonly type: "Delete"; readonly pod: Pod }
  | { readonly type: "Relabel"; readonly pod: Pod; readonly labels: Readonly<Record<string, string>> };

/**
 * What is to be done next; nothing, when all that remains is to wait. In order, each pod waits for all with a lower number to be available, and each that goes for
 * all with a higher one to be gone; in parallel none waits. Updates go from the highest number to the lowest either way.
 */
export function nextSteps(state: StatefulState): readonly StatefulStep[] {
  const isOrdered = state.set.spec?.podManagementPolicy !== "Parallel";
  const slots = slotsOf(state);
  const steps: StatefulStep[] = [];
  for (const { ordinal, pod } of slots) {
    const step = stepInSlot(state, ordinal, pod);
    if (step !== undefined) steps.push(step);
    if (isOrdered && step !== undefined) return steps;
    if (isOrdered && (pod === undefined || isUnavailable(state, pod))) return [];
  }
  const condemned = condemnedOf(state);
  const firstUnhealthy = [...slots.map(({ pod }) => pod), ...condemned.toReversed()].find(
    (pod) => pod !== undefined && isUnavailable(state, pod),
  );
  for (const pod of condemned) {
    const isGoing = pod.metadata.deletionTimestamp !== undefined;
    if (isOrdered && (isGoing || (isUnavailable(state, pod) && pod !== firstUnhealthy))) return [];
    if (!isGoing) steps.push({ type: "Delete", pod });
    if (isOrdered) return steps;
  }
  return steps.length > 0 ? steps : outdated(state, slots);
}

/** The first number, and the one after the last. */
export function ordinalRange({ spec }: StatefulSet): { readonly start: number; readonly end: number } {
  const start = spec?.ordinals?.start ?? 0;
  return { start, end: start + (spec?.replicas ?? 1) };
}

interface Slot {
  readonly ordinal: number;
  readonly pod: Pod | undefined;
}

function slotsOf({ set, pods }: StatefulState): readonly Slot[] {
  const { start, end } = ordinalRange(set);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod, set), pod]));
  return Array.from({ length: end - start }, (_slot, index) => ({ ordinal: start + index, pod: byOrdinal.get(start + index) }));
}

/** The pods beyond the numbers that are wanted, the highest first. */
function condemnedOf({ set, pods }: StatefulState): readonly Pod[] {
  const { start, end } = ordinalRange(set);
  const numbered = pods.map((pod) => ({ pod, ordinal: ordinalOf(pod, set) ?? -1 }));
  const beyond = numbered.filter(({ ordinal }) => ordinal >= 0 && (ordinal < start || ordinal >= end));
  return beyond.toSorted((left, right) => right.ordinal - left.ordinal).map(({ pod }) => pod);
}

function stepInSlot(state: StatefulState, ordinal: number, pod: Pod | undefined): StatefulStep | undefined {
  if (pod === undefined) return { type: "Create", ordinal, revision: revisionFor(state, ordinal) };
  if (pod.metadata.deletionTimestamp !== undefined) return undefined;
  if (hasPodEnded(pod)) return isReplaceable(pod, state.nowMs) ? { type: "Delete", pod } : undefined;
  const labels = identityLabels(pod.metadata.name, ordinal);
  const isKnown = Object.entries(labels).every(([key, value]) => pod.metadata.labels?.[key] === value);
  return isKnown ? undefined : { type: "Relabel", pod, labels };
}

/** Below the partition pods stay what they were. */
function revisionFor({ set, current, update }: StatefulState, ordinal: number): StatefulRevision {
  return ordinal < ordinalRange(set).start + keptCount(set) ? current : update;
}

function keptCount({ spec, status }: StatefulSet): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (rollingUpdate !== undefined) return rollingUpdate.partition ?? 0;
  return type === "RollingUpdate" ? (status?.currentReplicas ?? 0) : 0;
}

/** Pods of another revision go one by one, from the highest number down to the partition; each waits for those above it to be available. */
function outdated(state: StatefulState, slots: readonly Slot[]): readonly StatefulStep[] {
  const { type, rollingUpdate } = state.set.spec?.updateStrategy ?? {};
  if (type === "OnDelete") return [];
  for (const { pod } of slots.slice(rollingUpdate?.partition ?? 0).toReversed()) {
    if (pod === undefined) return [];
    const { labels, deletionTimestamp } = pod.metadata;
    if (labels?.[revisionLabel] !== state.update.name && deletionTimestamp === undefined) return [{ type: "Delete", pod }];
    if (isUnavailable(state, pod)) return [];
  }
  return [];
}

function isUnavailable({ set, nowMs }: StatefulState, pod: Pod): boolean {
  const isRunning = pod.status?.phase === "Running" && isPodReady(pod);
  return !isRunning || !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs) || pod.metadata.deletionTimestamp !== undefined;
}
