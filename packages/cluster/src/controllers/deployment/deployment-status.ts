import { findCondition, formatTime } from "@kaji/core";
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@kaji/types/apps/v1";
import { omitEmpty } from "../omit-empty.ts";
import { withCondition, withoutCondition } from "../status-condition.ts";
import { allOf, sumOf } from "./revisions.ts";
import type { Revisions } from "./revisions.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import { saidTimeMs } from "../said-time.ts";

/** A condition that begins now. */
export function deploymentCondition(
  type: "Available" | "Progressing",
  status: "True" | "False" | "Unknown",
  { reason, message }: { readonly reason: string; readonly message: string },
  nowMs: number,
): DeploymentCondition {
  const now = formatTime(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** What there is to count of a Deployment, and whether enough of it is available. */
export function countedStatus(deployment: Deployment, spec: RolloutSpec, revisions: Revisions, nowMs: number): DeploymentStatus {
  const all = allOf(revisions);
  const available = sumOf(all, ({ status }) => status?.availableReplicas ?? 0);
  const { collisionCount, conditions } = deployment.status ?? {};
  const terminating = terminatingOf(all);
  return {
    ...omitEmpty({
      observedGeneration: deployment.metadata.generation,
      replicas: sumOf(all, actualOf),
      updatedReplicas: revisions.current === undefined ? 0 : actualOf(revisions.current),
      readyReplicas: sumOf(all, ({ status }) => status?.readyReplicas ?? 0),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sumOf(all) - available),
      conditions: withCondition(conditions, availability(available >= spec.replicas - spec.maxUnavailable, nowMs)),
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

/** The counted status with what there is to say about the progress of the roll-out, and about pods that could not be made. */
export function rolloutStatus(deployment: Deployment, spec: RolloutSpec, revisions: Revisions, nowMs: number): DeploymentStatus {
  const counted = countedStatus(deployment, spec, revisions, nowMs);
  const progress = withProgress(deployment, { spec, current: revisions.current }, counted, nowMs);
  const failure = failureOf(revisions);
  const conditions = failure === undefined ? withoutCondition(progress, "ReplicaFailure") : withCondition(progress, failure);
  return { ...counted, conditions };
}

/** Whether the roll-out is over: nothing but pods of the present template, and all of them available. */
export function isComplete({ metadata }: Deployment, spec: RolloutSpec, status: DeploymentStatus): boolean {
  const counts = [status.updatedReplicas, status.replicas, status.availableReplicas];
  return counts.every((count = 0) => count === spec.replicas) && (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** After how long to look again whether the deadline has passed; undefined when there is no need to. */
export function deadlineCheckMs(deployment: Deployment, spec: RolloutSpec, status: DeploymentStatus, nowMs: number): number | undefined {
  const progressing = findCondition(status.conditions, "Progressing");
  const sinceMs = saidTimeMs(progressing?.lastUpdateTime);
  if (spec.deadlineSeconds === undefined || progressing === undefined || sinceMs === undefined) return undefined;
  if (progressing.reason === "ProgressDeadlineExceeded" || isComplete(deployment, spec, status)) return undefined;
  if (progressing.reason === "NewReplicaSetAvailable") return undefined;
  return Math.max(0, sinceMs + spec.deadlineSeconds * 1000 - nowMs) + 1000;
}

function withProgress(
  deployment: Deployment,
  { spec, current }: { readonly spec: RolloutSpec; readonly current: ReplicaSet | undefined },
  status: DeploymentStatus,
  nowMs: number,
): readonly DeploymentCondition[] {
  const { conditions = [] } = status;
  if (spec.deadlineSeconds === undefined) return withoutCondition(conditions, "Progressing");
  const present = findCondition(conditions, "Progressing");
  if (status.replicas === status.updatedReplicas && present?.reason === "NewReplicaSetAvailable") return conditions;
  const subject = current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  const say = (word: "True" | "False", reason: string, message: string): DeploymentCondition =>
    deploymentCondition("Progressing", word, { reason, message: `${subject} ${message}` }, nowMs);
  if (isComplete(deployment, spec, status)) {
    return withCondition(conditions, say("True", "NewReplicaSetAvailable", "has successfully progressed."));
  }
  if (hasProgressed(deployment.status ?? {}, status)) {
    const next = say("True", "ReplicaSetUpdated", "is progressing.");
    const since = present?.status === "True" ? present.lastTransitionTime : undefined;
    // Said anew each time, since the deadline runs from the last progress.
    return [...withoutCondition(conditions, "Progressing"), since === undefined ? next : { ...next, lastTransitionTime: since }];
  }
  if (!hasTimedOut(present, spec.deadlineSeconds, nowMs)) return conditions;
  return withCondition(conditions, say("False", "ProgressDeadlineExceeded", "has timed out progressing."));
}

function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const grows = (count: (status: DeploymentStatus) => number | undefined): boolean => (count(now) ?? 0) > (count(before) ?? 0);
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  return (
    grows(({ updatedReplicas }) => updatedReplicas) ||
    old(now) < old(before) ||
    grows(({ readyReplicas }) => readyReplicas) ||
    grows(({ availableReplicas }) => availableReplicas)
  );
}

function hasTimedOut(progressing: DeploymentCondition | undefined, deadlineSeconds: number, nowMs: number): boolean {
  if (progressing?.reason === "NewReplicaSetAvailable") return false;
  const sinceMs = saidTimeMs(progressing?.lastUpdateTime);
  return sinceMs !== undefined && sinceMs + deadlineSeconds * 1000 < nowMs;
}

function availability(isAvailable: boolean, nowMs: number): DeploymentCondition {
  return isAvailable
    ? deploymentCondition(
        "Available",
        "True",
        { reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." },
        nowMs,
      )
    : deploymentCondition(
        "Available",
        "False",
        { reason: "MinimumReplicasUnavailable", message: "Deployment does not have minimum availability." },
        nowMs,
      );
}

/** The failure of the present template's ReplicaSet, or else of any. */
function failureOf({ current, old }: Revisions): DeploymentCondition | undefined {
  const failures = [...(current === undefined ? [] : [current]), ...old].map(({ status }) =>
    findCondition(status?.conditions, "ReplicaFailure"),
  );
  const failure = failures.find((each) => each !== undefined);
  const time = failure?.lastTransitionTime;
  return failure === undefined ? undefined : { ...failure, ...(time === undefined ? {} : { lastUpdateTime: time }) };
}

function terminatingOf(all: readonly ReplicaSet[]): number | undefined {
  const known = all.filter(({ status }) => status?.terminatingReplicas !== undefined || (status?.observedGeneration ?? 0) > 0);
  if (known.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined;
  return sumOf(known, ({ status }) => status?.terminatingReplicas ?? 0);
}

function actualOf({ status }: ReplicaSet): number {
  return status?.replicas ?? 0;
}
