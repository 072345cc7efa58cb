import type { ClusterState } from "./cluster-state.ts";
import { Diagnosis } from "./diagnosis.ts";
import type { Filter, NodeCheck, Refused } from "./filter.ts";
import { allFilters } from "./filters/all-filters.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedPod } from "./placed-pod.ts";
import type { PodInfo } from "./pod-info.ts";

/** What the filters check for one pod, in their order. Filters that a pod gives nothing to do are not among them. */
export type Checks = readonly { readonly filter: Filter; readonly check: NodeCheck }[];

/** Prepares every filter for a pod, once for all nodes. */
export function prepareFilters(
  pod: PodInfo,
  state: ClusterState,
): { readonly type: "Checks"; readonly checks: Checks } | { readonly type: "Nowhere"; readonly diagnosis: Diagnosis } {
  const checks: { readonly filter: Filter; readonly check: NodeCheck }[] = [];
  for (const filter of allFilters) {
    const prepared = filter.prepare(pod, state);
    if (prepared.type === "Nowhere") return { type: "Nowhere", diagnosis: Diagnosis.nowhere(state.nodes.size, prepared.reason, filter) };
    if (prepared.type === "Check") checks.push({ filter, check: prepared });
  }
  return { type: "Checks", checks };
}

/**
 * Why a pod cannot run on a node; undefined if it can. It must fit beside the pods that room is being made for on the node and that are no
 * less important; and without them too, since they may come to run elsewhere.
 */
export function whyNot(pod: PodInfo, node: NodeInfo, checks: Checks, state: ClusterState): Refused | undefined {
  const nominated = state.nominatedTo(node.name);
  // Of most nodes there is nothing to suppose, and there are many nodes.
  if (nominated.length === 0) return firstRefusal(node, checks);
  const awaited = nominated.filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority && !node.pods.has(uid));
  for (const other of awaited) suppose(other, node, checks, 1);
  const refused = firstRefusal(node, checks);
  for (const other of awaited) suppose(other, node, checks, -1);
  return refused ?? firstRefusal(node, checks);
}

/** Adds a pod to a node, or removes it, for the checks alone; the caller must undo it. */
export function suppose(pod: PlacedPod, node: NodeInfo, checks: Checks, by: 1 | -1): void {
  if (by === 1) node.add(pod);
  else node.remove(pod.uid);
  for (const { check } of checks) check.suppose?.(pod, node, by);
}

function firstRefusal(node: NodeInfo, checks: Checks): Refused | undefined {
  for (const { filter, check } of checks) {
    const refusal = check.refuse(node);
    if (refusal !== undefined) return { filter, refusal };
  }
  return undefined;
}
