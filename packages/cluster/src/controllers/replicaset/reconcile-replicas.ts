import { structuralEqual } from "@kaji/core";
import { requeueAfter } from "@kaji/runtime";
import type { Result } from "@kaji/runtime";
import type { ReplicaSetStatus } from "@kaji/types/apps/v1";
import type { Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import type { PodContext } from "../pods/pod-context.ts";
import { createPod, deletePods } from "../pods/pod-control.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import { claimPods, ownPods } from "../pods/pod-ownership.ts";
import type { PodOwner } from "../pods/pod-ownership.ts";
import { rankForDeletion } from "../pods/pod-ranking.ts";
import { nextReplacementMs } from "../pods/pod-replacement.ts";
import { isPodActive, isPodTerminating, nextAvailabilityMs } from "../pods/pod-state.ts";
import { slowStart } from "../slow-start.ts";
import { replicaSetStatus } from "./replica-set-status.ts";
import type { ReplicaFailure, Replicated } from "./replica-set-status.ts";

/** No more pods are created or deleted in one go. */
const burst = 500;

/** A ReplicaSet or a ReplicationController, with what differs between the two. */
export interface ReplicaOwner extends PodOwner {
  readonly object: Replicated;
  /** Whether the status says how many pods are still ending. */
  readonly countsTerminating: boolean;
  /** Pods that stand for the same as those of the owner, as those of another revision do. */
  readonly relatedPods: () => Iterable<Pod>;
  readonly updateStatus: (status: ReplicaSetStatus) => Promise<unknown>;
}

/** Makes an owner have as many pods as it wants, and says how many there are. */
export async function reconcileReplicas(owner: ReplicaOwner, context: PodContext): Promise<Result> {
  const { object, countsTerminating, updateStatus } = owner;
  const claimed = await claimPods(owner, context, isPodActive);
  const failure = object.metadata.deletionTimestamp === undefined ? await manageReplicas(owner, claimed, context) : undefined;
  const pods = ownPods(owner, context);
  const active = pods.filter(isPodActive);
  const nowMs = context.clock.now();
  const terminating = countsTerminating ? { terminating: pods.filter(isPodTerminating).length } : {};
  const status = replicaSetStatus(object, active, { nowMs, failure: failure?.said, ...terminating });
  if (!structuralEqual(status, object.status)) await updateStatus(status);
  if (failure !== undefined) throw failure.error;
  const availabilityMs = nextAvailabilityMs(active, object.spec?.minReadySeconds ?? 0, nowMs);
  const nextMs = Math.min(availabilityMs ?? Infinity, nextReplacementMs(pods, nowMs) ?? Infinity);
  return nextMs === Infinity ? undefined : requeueAfter(nextMs);
}

interface Failure {
  readonly error: unknown;
  readonly said: ReplicaFailure;
}

async function manageReplicas(owner: ReplicaOwner, pods: readonly Pod[], context: PodContext): Promise<Failure | undefined> {
  const { resource, object, relatedPods } = owner;
  const { replicas = 1, template = {} } = object.spec ?? {};
  const missing = replicas - pods.length;
  try {
    if (missing > 0 && nextReplacementMs(ownPods(owner, context), context.clock.now()) === undefined) {
      await slowStart(Math.min(missing, burst), () => createPod(podFromTemplate(resource, object, template), context));
    } else if (missing < 0) {
      const ranked = rankForDeletion(pods, relatedPods(), context.clock.now());
      await deletePods(ranked.slice(0, Math.min(-missing, burst)), context);
    }
    return undefined;
  } catch (error) {
    return { error, said: { reason: missing > 0 ? "FailedCreate" : "FailedDelete", message: failureMessage(error) } };
  }
}
