import { objectKey, structuralEqual } from "@kaji/core";
import type { Labels, ObjectKey, ObjectMeta } from "@kaji/core";
import type { Pod, Toleration } from "@kaji/types/core/v1";
import { hasAffinities, podAffinities } from "./affinity-term.ts";
import type { PodAffinities } from "./affinity-term.ts";
import { hostPortsOf } from "./host-ports.ts";
import type { HostPort } from "./host-ports.ts";
import { requiredNodes } from "./node-selection.ts";
import type { NodePredicate } from "./node-selection.ts";
import { podRequests, presumedRequests } from "./resource-amounts.ts";
import type { Amounts } from "./resource-amounts.ts";

/** What the scheduler needs of a pod, read once for each state of it. */
export interface PodInfo {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly pod: Pod;
  readonly namespace: string;
  readonly labels: Labels;
  readonly priority: number;
  readonly isTerminating: boolean;
  readonly requests: Amounts;
  readonly presumedRequests: Amounts;
  readonly hostPorts: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  readonly requiredNodes: NodePredicate | undefined;
  readonly affinities: PodAffinities;
  readonly hasAffinities: boolean;
  /** Equal for pods that fit on the same nodes, as those of one template do. */
  readonly signature: string;
}

/** Reads a pod; what was read of it before need not be read again as long as only its status has changed. */
export function podInfo(pod: Pod, before?: PodInfo): PodInfo {
  const { metadata, spec } = pod;
  if (before !== undefined && isSameButStatus(before.pod.metadata, metadata)) return { ...before, pod };
  const affinities = podAffinities(pod);
  const requests = podRequests(pod);
  const hostPorts = hostPortsOf(pod);
  return {
    key: objectKey(metadata),
    uid: metadata.uid ?? "",
    pod,
    namespace: metadata.namespace ?? "",
    labels: metadata.labels ?? {},
    priority: spec?.priority ?? 0,
    isTerminating: metadata.deletionTimestamp !== undefined,
    requests,
    presumedRequests: presumedRequests(pod),
    hostPorts,
    tolerations: spec?.tolerations ?? [],
    requiredNodes: requiredNodes(pod),
    affinities,
    hasAffinities: hasAffinities(affinities),
    signature: JSON.stringify([metadata.namespace, metadata.labels, [...requests], hostPorts, ...placementOf(pod)]),
  };
}

/** Whether two states of a pod differ only in what scheduling does not read: `podInfo` then shares the objects compared here. */
export function differsInStatusOnly(before: PodInfo, now: PodInfo): boolean {
  return before.requests === now.requests && before.labels === now.labels && before.isTerminating === now.isTerminating;
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

function isSameButStatus(before: ObjectMeta, now: ObjectMeta): boolean {
  return (
    before.uid === now.uid &&
    before.generation === now.generation &&
    before.deletionTimestamp === now.deletionTimestamp &&
    structuralEqual(before.labels, now.labels)
  );
}
