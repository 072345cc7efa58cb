import type { ClusterState } from "./cluster-state.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedPod } from "./placed-pod.ts";
import type { PodInfo } from "./pod-info.ts";

/** Decides on which nodes a pod can run. */
export interface Filter {
  /** What may help a pod that it refused. */
  readonly wokenBy: readonly ClusterEvent[];
  /** Looks at what a pod asks for, once for all nodes. */
  prepare(pod: PodInfo, state: ClusterState): Prepared;
}

/** What changed in the cluster that may let a pod run which could not. */
export type ClusterEvent = "NodeAdded" | "NodeChanged" | "PodPlaced" | "PodGone" | "VolumeChanged" | "NamespaceChanged";

/** What a filter finds about a pod: no restriction, no node at all, or a check of each node. */
export type Prepared =
  | { readonly type: "Indifferent" }
  | { readonly type: "Nowhere"; readonly reason: string }
  | ({ readonly type: "Check" } & NodeCheck);

/** Looks at one node after the other. */
export interface NodeCheck {
  /** Why the pod cannot run on the node; undefined if it can. */
  refuse(node: NodeInfo): Refusal | undefined;
  /** Follows a pod that is supposed to come to a node or to leave it, while room is looked for. The node itself has been changed already. */
  suppose?(pod: PlacedPod, node: NodeInfo, by: 1 | -1): void;
}

/** Why a pod cannot run on a node. */
export interface Refusal {
  /** As users read them in the pod's status. */
  readonly reasons: readonly string[];
  /** Whether it may help to remove other pods from the node. */
  readonly isResolvable: boolean;
}

export const indifferent: Prepared = { type: "Indifferent" };

/** A refusal for one reason, which removing other pods does not resolve unless stated. */
export function refusal(reason: string, { isResolvable = false }: Partial<Pick<Refusal, "isResolvable">> = {}): Refusal {
  return { reasons: [reason], isResolvable };
}

/** A refusal, and by which filter. */
export interface Refused {
  readonly filter: Filter;
  readonly refusal: Refusal;
}
