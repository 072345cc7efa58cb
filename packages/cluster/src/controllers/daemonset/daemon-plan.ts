import { scaledValue } from "@kaji/core";
import type { DaemonSet } from "@kaji/types/apps/v1";
import type { Node, Pod } from "@kaji/types/core/v1";
import { isReplaceable } from "../pods/pod-replacement.ts";
import { hasPodEnded, isPodAvailable, isPodReady } from "../pods/pod-state.ts";
import { isUpdated, placementOn, targetNode } from "./daemon-pod.ts";

/** What a DaemonSet and its pods are like at one moment. */
export interface DaemonState {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** The hash of the present template. */
  readonly hash: string;
  readonly nowMs: number;
}

/** What is to be done: pods to delete, and nodes to start one on. */
export interface DaemonPlan {
  readonly deletions: readonly Pod[];
  readonly creations: readonly string[];
}

/** Brings one pod to every node that is for the DaemonSet, and takes pods away from others. */
export function placementPlan(state: DaemonState): DaemonPlan {
  const { daemonSet, nodes, pods } = state;
  const onNode = podsByNode(pods);
  const deletions: Pod[] = [];
  const creations: string[] = [];
  for (const node of nodes) {
    const present = onNode.get(node.metadata.name) ?? [];
    const { starts, stays } = placementOn(node, daemonSet);
    if (starts && present.length === 0) creations.push(node.metadata.name);
    else if (!stays) deletions.push(...present.filter(isStaying));
    else deletions.push(...surplus(state, present.filter(isStaying)));
  }
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const strays = pods.filter((pod) => isStaying(pod) && (pod.spec?.nodeName ?? "") === "" && !names.has(targetNode(pod)));
  return { deletions: [...deletions, ...strays], creations };
}

/** Replaces pods of old templates, as many at a time as the strategy allows. */
export function updatePlan(state: DaemonState): DaemonPlan {
  const { daemonSet, nodes, pods } = state;
  if (daemonSet.spec?.updateStrategy?.type === "OnDelete") return { deletions: [], creations: [] };
  const { maxSurge = 0, maxUnavailable = 1 } = daemonSet.spec?.updateStrategy?.rollingUpdate ?? {};
  const desired = nodes.filter((node) => placementOn(node, daemonSet).starts).length;
  const surge = scaledValue(maxSurge, desired, "up");
  const unavailable = scaledValue(maxUnavailable, desired, "up");
  const onNode = [...podsByNode(pods)].map(([node, present]) => ({ node, ...revisionsOn(state, present) }));
  return surge === 0 ? replaced(state, onNode, Math.max(1, unavailable)) : surged(state, onNode, surge);
}

/** The pods of a DaemonSet by the node that they are on, or are meant for. One that has ended and is to go takes up no place. */
export function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  return Map.groupBy(
    pods.filter((pod) => isStaying(pod) || !hasPodEnded(pod)),
    targetNode,
  );
}

/** Those first that are on their node, then the older. */
export function bySeniority(left: Pod, right: Pod): number {
  const isBound = ({ spec }: Pod): number => Number((spec?.nodeName ?? "") === "");
  const age = ({ metadata }: Pod): string => `${metadata.creationTimestamp}/${metadata.name}`;
  return isBound(left) - isBound(right) || (age(left) < age(right) ? -1 : 1);
}

interface NodeRevisions {
  readonly node: string;
  readonly fresh: Pod | undefined;
  readonly old: Pod | undefined;
  /** Whether the node has more than one new or more than one old pod. */
  readonly isCrowded: boolean;
}

function revisionsOn({ daemonSet, hash }: DaemonState, present: readonly Pod[]): Omit<NodeRevisions, "node"> {
  const { fresh = [], old = [] } = Object.groupBy(present.filter(isStaying), (pod) => (isUpdated(pod, daemonSet, hash) ? "fresh" : "old"));
  return { fresh: fresh[0], old: old[0], isCrowded: fresh.length > 1 || old.length > 1 };
}

/** Deletes old pods before their successors are created. Old pods that are not available are deleted whatever the limit. */
function replaced(state: DaemonState, onNode: readonly NodeRevisions[], maxUnavailable: number): DaemonPlan {
  let unavailable = 0;
  const lost: Pod[] = [];
  const candidates: Pod[] = [];
  for (const { fresh, old, isCrowded } of onNode) {
    if (isCrowded || (old === undefined) === (fresh === undefined)) unavailable++;
    else if (fresh !== undefined) unavailable += isAvailable(state, fresh) ? 0 : 1;
    else if (old !== undefined && isAvailable(state, old)) candidates.push(old);
    else if (old !== undefined) {
      unavailable++;
      lost.push(old);
    }
  }
  return { deletions: [...lost, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))], creations: [] };
}

/** Creates new pods before the old ones are deleted. */
function surged(state: DaemonState, onNode: readonly NodeRevisions[], maxSurge: number): DaemonPlan {
  let surging = 0;
  const deletions: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  for (const { node, fresh, old, isCrowded } of onNode) {
    if (isCrowded) surging++;
    else if (old === undefined) continue;
    else if (fresh === undefined) (isAvailable(state, old) ? candidates : allowed).push(node);
    else if (isAvailable(state, fresh)) deletions.push(old);
    else surging++;
  }
  const startable = new Set(state.nodes.filter((node) => placementOn(node, state.daemonSet).starts).map(({ metadata }) => metadata.name));
  const creations = [...allowed, ...candidates.slice(0, Math.max(0, maxSurge - surging))].filter((node) => startable.has(node));
  return { deletions, creations };
}

/** Pods on a node that are too many, or have ended. While a surge replaces a pod there are two. */
function surplus(state: DaemonState, present: readonly Pod[]): readonly Pod[] {
  const ended = present.filter((pod) => isReplaceable(pod, state.nowMs));
  const running = present.filter((pod) => !hasPodEnded(pod)).toSorted(bySeniority);
  const { maxSurge = 0 } = state.daemonSet.spec?.updateStrategy?.rollingUpdate ?? {};
  if (maxSurge === 0 || maxSurge === "0%") return [...ended, ...running.slice(1)];
  const [fresh, old] = [running.find((pod) => updated(state, pod)), running.find((pod) => !updated(state, pod))];
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  const isOldDone = fresh !== undefined && old !== undefined && (!isPodReady(old) || isAvailable(state, fresh));
  return [...ended, ...others, ...(isOldDone ? [old] : [])];
}

function updated({ daemonSet, hash }: DaemonState, pod: Pod): boolean {
  return isUpdated(pod, daemonSet, hash);
}

function isAvailable({ daemonSet, nowMs }: DaemonState, pod: Pod): boolean {
  return isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, nowMs);
}

function isStaying({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}
