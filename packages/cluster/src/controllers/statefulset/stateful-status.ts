import type { StatefulSetStatus } from "@kaji/types/apps/v1";
import type { Pod } from "@kaji/types/core/v1";
import { revisionLabel } from "../history/controller-history.ts";
import { omitEmpty } from "../omit-empty.ts";
import { isPodAvailable, isPodReady } from "../pods/pod-state.ts";
import type { StatefulState } from "./stateful-steps.ts";

/** How many pods a set has, and of which revision. When all are of the present one, the update is over. */
export function statefulStatus({ set, pods, current, update, nowMs }: StatefulState, collisionCount: number): StatefulSetStatus {
  const { replicas = 1, minReadySeconds = 0, updateStrategy } = set.spec ?? {};
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod));
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ofRevision = (name: string): number => staying.filter((pod) => revisionOf(pod) === name).length;
  const updated = ofRevision(update.name);
  const isComplete = updateStrategy?.type === "RollingUpdate" && [updated, ready.length, pods.length].every((count) => count === replicas);
  const { conditions } = set.status ?? {};
  return {
    replicas: pods.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
    collisionCount,
    ...omitEmpty({
      observedGeneration: set.metadata.generation,
      readyReplicas: ready.length,
      currentReplicas: isComplete ? updated : ofRevision(current.name),
      updatedReplicas: updated,
      currentRevision: isComplete ? update.name : current.name,
      updateRevision: update.name,
      conditions,
    }),
  };
}

/** The name of the revision that a pod is of. */
export function revisionOf({ metadata }: Pod): string {
  return metadata.labels?.[revisionLabel] ?? "";
}
