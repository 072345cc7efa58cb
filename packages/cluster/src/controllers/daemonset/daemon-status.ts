import type { DaemonSetStatus } from "@kaji/types/apps/v1";
import { omitEmpty } from "../omit-empty.ts";
import { isPodAvailable, isPodReady } from "../pods/pod-state.ts";
import { isUpdated, placementOn } from "./daemon-pod.ts";
import { bySeniority, podsByNode } from "./daemon-plan.ts";
import type { DaemonState } from "./daemon-plan.ts";

/** How many nodes have the pod that they should, and how many one that they should not. */
export function daemonStatus({ daemonSet, nodes, pods, hash, nowMs }: DaemonState, collisionCount: number | undefined): DaemonSetStatus {
  const onNode = podsByNode(pods);
  const { minReadySeconds = 0 } = daemonSet.spec ?? {};
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, available: 0, updated: 0 };
  for (const node of nodes) {
    const [pod] = (onNode.get(node.metadata.name) ?? []).toSorted(bySeniority);
    const { starts } = placementOn(node, daemonSet);
    if (starts) counts.desired++;
    else if (pod !== undefined) counts.misscheduled++;
    if (!starts || pod === undefined) continue;
    counts.current++;
    if (isPodReady(pod)) counts.ready++;
    if (isPodAvailable(pod, minReadySeconds, nowMs)) counts.available++;
    if (isUpdated(pod, daemonSet, hash)) counts.updated++;
  }
  const { conditions } = daemonSet.status ?? {};
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...omitEmpty({
      observedGeneration: daemonSet.metadata.generation,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: counts.desired - counts.available,
      conditions,
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}
