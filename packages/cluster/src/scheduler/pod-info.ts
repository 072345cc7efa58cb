import type { Pod, Toleration } from "@kaji/types/core/v1";
import { requiredNodes } from "./node-selection.ts";
import type { NodePredicate } from "./node-selection.ts";
import { placedPod } from "./placed-pod.ts";
import type { PlacedPod } from "./placed-pod.ts";

/** A pod for which a node is looked for: what will count of it there, and what it asks for. */
export interface PodInfo extends PlacedPod {
  readonly pod: Pod;
  /** The part of it that outlives the search. */
  readonly placed: PlacedPod;
  readonly tolerations: readonly Toleration[];
  readonly requiredNodes: NodePredicate | undefined;
  /** Equal for pods that fit on the same nodes, as those of one template do. */
  readonly signature: string;
}

export function podInfo(pod: Pod): PodInfo {
  const placed = placedPod(pod);
  const { namespace, labels, requests, hostPorts } = placed;
  return {
    ...placed,
    pod,
    placed,
    tolerations: pod.spec?.tolerations ?? [],
    requiredNodes: requiredNodes(pod),
    signature: JSON.stringify([namespace, labels, [...requests], hostPorts, ...placementOf(pod)]),
  };
}

/** The parts of a spec that decide where the pod can run, besides those that are computed. Of volumes only the names of claims count. */
function placementOf({ metadata, spec = { containers: [] } }: Pod): readonly unknown[] {
  const { priority, preemptionPolicy, nodeSelector, affinity, tolerations, topologySpreadConstraints, volumes = [] } = spec;
  const claims = volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
  });
  return [priority, preemptionPolicy, nodeSelector, affinity, tolerations, topologySpreadConstraints, claims];
}
