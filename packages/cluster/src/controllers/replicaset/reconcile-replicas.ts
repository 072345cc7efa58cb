import { structuralEqual } from "@kaji/core";
import { recheckAfter } from "@kaji/runtime";
import type { Result } from "@kaji/runtime";
import type { ReplicaSetStatus } from "@kaji/types/apps/v1";
import type { Pod } from "@kaji/types/core/v1";
import { failureMessage } from "../failure-message.ts";
import type { PodContext } from "../pods/pod-context.ts";
import { createPod, deletePods } from "../pods/pod-control.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import { claimPods, ownPods, podsOf } from "../pods/pod-ownership.ts";
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
  /** Pods that do the same work as those of the owner, such as those of other revisions. */
  readonly relatedPods: () => Iterable<Pod>;
  readonly updateStatus: (status: ReplicaSetStatus) => Promise<unknown>;
}

/** Makes an owner have as many pods as it wants, and says how many there are. */
export async function reconcileReplicas(owner: ReplicaOwner, context: PodContext): Promise<Result> {
  const { object, countsTerminating, updateStatus } = owner;
  // One moment for the whole reconcile: what is too young to be replaced would otherwise be old enough when the next look is due, and nobody would look.
  const nowMs = context.clock.now();
  const present = podsOf(owner, context);
  const claimed = await claimPods(owner, context, isPodActive, present);
  const { failure, isChanged } =
    object.metadata.deletionTimestamp === undefined ? await manageReplicas(owner, { claimed, present, nowMs }, context) : unmanaged;
  // Reading all pods is the most expensive step, so they are read again only after a write of this reconcile.
  const pods = isChanged || isAnyAdopted(claimed, present) ? ownPods(owner, context) : ownPods(owner, context, present);
  const active = pods.filter(isPodActive);
  const terminating = countsTerminating ? { terminating: pods.filter(isPodTerminating).length } : {};
  const status = replicaSetStatus(object, active, { nowMs, failure: failure?.said, ...terminating });
  if (!structuralEqual(status, object.status)) await updateStatus(status);
  if (failure !== undefined) throw failure.error;
  const availabilityMs = nextAvailabilityMs(active, object.spec?.minReadySeconds ?? 0, nowMs);
  const nextMs = Math.min(availabilityMs ?? Infinity, nextReplacementMs(pods, nowMs) ?? Infinity);
  return nextMs === Infinity ? undefined : recheckAfter(nextMs);
}

interface Failure {
  readonly error: unknown;
  readonly said: ReplicaFailure;
}

interface Managed {
  readonly failure?: Failure;
  /** Whether pods were made or deleted. */
  readonly isChanged: boolean;
}

const unmanaged: Managed = { isChanged: false };

function isAnyAdopted(claimed: readonly Pod[], present: readonly Pod[]): boolean {
  const known = new Set(present);
  return claimed.some((pod) => !known.has(pod));
}

interface PodsNow {
  readonly claimed: readonly Pod[];
  readonly present: readonly Pod[];
  readonly nowMs: number;
}

async function manageReplicas(owner: ReplicaOwner, { claimed, present, nowMs }: PodsNow, context: PodContext): Promise<Managed> {
  const { resource, object, relatedPods } = owner;
  const { replicas = 1, template = {} } = object.spec ?? {};
  const missing = replicas - claimed.length;
  try {
    if (missing > 0 && nextReplacementMs(ownPods(owner, context, present), nowMs) === undefined) {
      await slowStart(Math.min(missing, burst), () => createPod(podFromTemplate(resource, object, template), context));
    } else if (missing < 0) {
      const ranked = rankForDeletion(claimed, relatedPods(), nowMs);
      await deletePods(ranked.slice(0, Math.min(-missing, burst)), context);
    }
    return { isChanged: missing !== 0 };
  } catch (error) {
    const said: ReplicaFailure = { reason: missing > 0 ? "FailedCreate" : "FailedDelete", message: failureMessage(error) };
    return { failure: { error, said }, isChanged: true };
  }
}
