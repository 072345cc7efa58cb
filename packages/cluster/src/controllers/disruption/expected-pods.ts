import { controllerOf, scaledValue } from "@kaji/core";
import type { OwnerReference } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { CacheReads } from "@kaji/runtime";
import { Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { ReplicationController } from "@kaji/types/core/v1";
import type { Pod } from "@kaji/types/core/v1";
import type { PodDisruptionBudget } from "@kaji/types/policy/v1";

/** The kinds that say how many pods they want. */
export type ScaledKinds = Deployment | ReplicaSet | ReplicationController | StatefulSet;

/** How many pods there should be, and how many of them healthy. */
export type Expectation =
  | { readonly type: "Numbers"; readonly expected: number; readonly desired: number; readonly hasUnmanaged: boolean }
  /** The controllers do not say how many pods there should be. */
  | { readonly type: "Failure"; readonly message: string };

/** What a budget expects of its pods; for percentages and `maxUnavailable`, their controllers must say how many pods they want. */
export function expectedPods({ spec }: PodDisruptionBudget, pods: readonly Pod[], cache: CacheReads<ScaledKinds | Pod>): Expectation {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    return { type: "Numbers", expected: pods.length, desired: minAvailable ?? 0, hasUnmanaged: false };
  }
  const scale = totalScale(pods, cache);
  if (typeof scale === "string") return { type: "Failure", message: scale };
  const { total: expected, hasUnmanaged } = scale;
  const desired =
    maxUnavailable === undefined
      ? scaledValue(minAvailable ?? 0, expected, "up")
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, "up"));
  return { type: "Numbers", expected, desired, hasUnmanaged };
}

function totalScale(
  pods: readonly Pod[],
  cache: CacheReads<ScaledKinds | Pod>,
): { readonly total: number; readonly hasUnmanaged: boolean } | string {
  const scales = new Map<string, number>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) hasUnmanaged = true;
    else {
      const found = scaleOf(controller, pod, cache);
      if (typeof found === "string") return found;
      scales.set(found.uid, found.replicas);
    }
  }
  return { total: scales.values().reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}

/** How many pods the controller of a pod wants, or for a ReplicaSet its Deployment; a message if that is not known. */
function scaleOf(
  controller: OwnerReference,
  { metadata }: Pod,
  cache: CacheReads<ScaledKinds | Pod>,
): { readonly uid: string; readonly replicas: number } | string {
  const address = { namespace: metadata.namespace ?? "", name: controller.name };
  const missing = `found no controllers for pod ${quote(metadata.name)}`;
  const found = (object: ScaledKinds | undefined): ReturnType<typeof scaleOf> =>
    object === undefined || object.metadata.uid !== controller.uid
      ? missing
      : { uid: controller.uid, replicas: object.spec?.replicas ?? 1 };
  switch (controller.kind) {
    case "ReplicaSet": {
      const replicaSet = cache.get(ReplicaSet, address);
      const parent = replicaSet === undefined ? undefined : controllerOf(replicaSet);
      if (parent?.kind !== "Deployment") return found(replicaSet);
      const deployment = cache.get(Deployment, { ...address, name: parent.name });
      return deployment === undefined ? missing : { uid: parent.uid, replicas: deployment.spec?.replicas ?? 1 };
    }
    case "ReplicationController":
      return found(cache.get(ReplicationController, address));
    case "StatefulSet":
      return found(cache.get(StatefulSet, address));
    case "DaemonSet":
      return "daemonsets.apps does not implement the scale subresource";
    case "Job":
      return "jobs.batch does not implement the scale subresource";
    default:
      return missing;
  }
}
