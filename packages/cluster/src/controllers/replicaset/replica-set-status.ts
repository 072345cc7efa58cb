import { findCondition, formatTime } from "@kaji/core";
import type { LabelSelector, KubeObject } from "@kaji/core";
import type { ReplicaSetCondition, ReplicaSetStatus } from "@kaji/types/apps/v1";
import type { Pod, PodTemplateSpec } from "@kaji/types/core/v1";
import { omitEmpty } from "../omit-empty.ts";
import { isPodAvailable, isPodReady } from "../pods/pod-state.ts";
import { withCondition, withoutCondition } from "../status-condition.ts";

/** What a ReplicaSet and a ReplicationController have in common. */
export interface Replicated extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelector | Readonly<Record<string, string>>;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: ReplicaSetStatus;
}

/** Why the number of pods could not be made right. */
export interface ReplicaFailure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
}

/** What there is to say about an owner and its active pods; how many are still ending is said only where that is given. */
export function replicaSetStatus(
  owner: Replicated,
  pods: readonly Pod[],
  { nowMs, terminating, failure }: { readonly nowMs: number; readonly terminating?: number; readonly failure?: ReplicaFailure | undefined },
): ReplicaSetStatus {
  const { minReadySeconds = 0, template } = owner.spec ?? {};
  const wanted = Object.entries(template?.metadata?.labels ?? {});
  const count = (holds: (pod: Pod) => boolean): number => pods.filter(holds).length;
  return {
    replicas: pods.length,
    ...omitEmpty({
      fullyLabeledReplicas: count(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value)),
      readyReplicas: count(isPodReady),
      availableReplicas: count((pod) => isPodAvailable(pod, minReadySeconds, nowMs)),
      observedGeneration: owner.metadata.generation,
      conditions: conditions(owner.status?.conditions ?? [], failure, nowMs),
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
  };
}

/** The condition `ReplicaFailure` keeps its first failure until there is none. */
function conditions(
  present: readonly ReplicaSetCondition[],
  failure: ReplicaFailure | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] {
  if (failure === undefined) return withoutCondition(present, "ReplicaFailure");
  if (findCondition(present, "ReplicaFailure") !== undefined) return present;
  return withCondition(present, { type: "ReplicaFailure", status: "True", lastTransitionTime: formatTime(nowMs), ...failure });
}
