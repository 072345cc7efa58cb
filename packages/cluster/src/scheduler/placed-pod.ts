import { objectKey, structuralEqual } from "@kaji/core";
import type { Labels, ObjectKey } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { hasAffinities, podAffinities } from "./affinity-term.ts";
import type { PodAffinities } from "./affinity-term.ts";
import { hostPortsOf } from "./host-ports.ts";
import type { HostPort } from "./host-ports.ts";
import { isResizing } from "./held-requests.ts";
import { presumedRequests, takenRequests } from "./resource-amounts.ts";
import type { Amounts } from "./resource-amounts.ts";

/** What of a pod counts for others once it is on a node. It holds little of the pod: a cluster has many, and a new state of each with every change. */
export interface PlacedPod {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number | undefined;
  readonly labels: Labels;
  readonly priority: number;
  readonly isTerminating: boolean;
  /** Whether it is ending to make room for a more important one. */
  readonly isPreempted: boolean;
  readonly startTime: string | undefined;
  /** Whether what it takes of its node depends on its status. */
  readonly isResizing: boolean;
  readonly requests: Amounts;
  readonly presumedRequests: Amounts;
  readonly hostPorts: readonly HostPort[];
  /** The names of the claims that its volumes are. */
  readonly claims: readonly string[];
  readonly affinities: PodAffinities;
  readonly hasAffinities: boolean;
}

/** Reads a pod; where nothing has changed that counts, what was read of it before is returned or used again. */
export function placedPod(pod: Pod, before?: PlacedPod): PlacedPod {
  const { metadata, spec, status } = pod;
  const [isPreempted, startTime] = [isMakingRoom(pod), status?.startTime];
  if (before !== undefined && isStatusChange(before, pod)) {
    return before.isPreempted === isPreempted && before.startTime === startTime ? before : { ...before, isPreempted, startTime };
  }
  const affinities = podAffinities(pod);
  return {
    key: objectKey(metadata),
    uid: metadata.uid ?? "",
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    generation: metadata.generation,
    labels: metadata.labels ?? {},
    priority: spec?.priority ?? 0,
    isTerminating: isTerminating(pod),
    isPreempted,
    startTime,
    isResizing: isResizing(pod),
    requests: takenRequests(pod),
    presumedRequests: presumedRequests(pod),
    hostPorts: hostPortsOf(pod),
    claims: claimsOf(pod),
    affinities,
    hasAffinities: hasAffinities(affinities),
  };
}

/** Whether both states of a pod add the same to sums and counts: of those that differ in status only, the later one shares what the earlier one read. */
export function countsAlike(before: PlacedPod, now: PlacedPod): boolean {
  return before.requests === now.requests && before.labels === now.labels && before.isTerminating === now.isTerminating;
}

function isStatusChange(before: PlacedPod, pod: Pod): boolean {
  const { uid, generation, labels = {} } = pod.metadata;
  return (
    before.uid === uid &&
    before.generation === generation &&
    before.isTerminating === isTerminating(pod) &&
    !before.isResizing &&
    !isResizing(pod) &&
    structuralEqual(before.labels, labels)
  );
}

/** What most pods have none of. */
const noClaims: readonly string[] = [];

function claimsOf({ spec }: Pod): readonly string[] {
  const claims = spec?.volumes?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []) ?? noClaims;
  return claims.length === 0 ? noClaims : claims;
}

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isMakingRoom(pod: Pod): boolean {
  const target = pod.status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  return isTerminating(pod) && target?.status === "True" && target.reason === "PreemptionByScheduler";
}
