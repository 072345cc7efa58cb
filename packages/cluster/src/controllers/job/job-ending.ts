import { findCondition, parseTime } from "@kaji/core";
import type { Job, JobCondition } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { judgeFailure } from "./failure-policy.ts";
import { hasLimitPerIndex } from "./index-failures.ts";
import { isIndexed } from "./job-indexes.ts";
import type { JobTally } from "./job-tally.ts";
import { hasPodFailed } from "./pod-tracking.ts";
import { successMessage } from "./success-policy.ts";

/** That a job is to end, and why: what its pods still do no longer matters. */
export interface JobEnding {
  readonly type: "SuccessCriteriaMet" | "FailureTarget";
  readonly reason: string;
  readonly message: string;
}

/** All pods that a job needs have succeeded. */
export const completionsReached: JobEnding = {
  type: "SuccessCriteriaMet",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Why a job ends while it may still have pods; a reason that the status has already stays. */
export function endingOf(job: Job, tally: JobTally, nowMs: number): JobEnding | undefined {
  return (
    saidBefore(job, "SuccessCriteriaMet") ??
    saidBefore(job, "FailureTarget") ??
    failureByPolicy(job, tally) ??
    failureByLimit(job, tally, nowMs) ??
    (isIndexed(job) ? (failureByIndexes(job, tally) ?? successByPolicy(job, tally)) : undefined)
  );
}

/** Whether a job has ended, and how. */
export function finishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(({ type, status: value }) => (type === "Complete" || type === "Failed") && value === "True");
}

/** How long a job may still be active; undefined if for ever. */
export function deadlineLeftMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend === true) return undefined;
  return parseTime(status.startTime) + spec.activeDeadlineSeconds * 1000 - nowMs;
}

function saidBefore({ status }: Job, type: JobEnding["type"]): JobEnding | undefined {
  const condition = findCondition(status?.conditions, type);
  return condition?.status === "True" ? { type, reason: condition.reason ?? "", message: condition.message ?? "" } : undefined;
}

function failureByPolicy(job: Job, { pods }: JobTally): JobEnding | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const message = hasPodFailed(pod, job) ? judgeFailure(job, pod).message : undefined;
    if (message !== undefined) return failure("PodFailurePolicy", message);
  }
  return undefined;
}

function failureByLimit(job: Job, { failed, pods }: JobTally, nowMs: number): JobEnding | undefined {
  if (failed > (job.spec?.backoffLimit ?? 6) || hasRestartedTooOften(job, pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  const isLate = (deadlineLeftMs(job, nowMs) ?? Infinity) <= 0;
  return isLate ? failure("DeadlineExceeded", "Job was active longer than specified deadline") : undefined;
}

function failureByIndexes(job: Job, { failedIndexes, succeededIndexes }: JobTally): JobEnding | undefined {
  const { maxFailedIndexes = Infinity, completions = 0 } = job.spec ?? {};
  if (!hasLimitPerIndex(job)) return undefined;
  if (failedIndexes.size > maxFailedIndexes) {
    return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  }
  const isDone = failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= completions;
  return isDone ? failure("FailedIndexes", "Job has failed indexes") : undefined;
}

function successByPolicy(job: Job, { succeededIndexes }: JobTally): JobEnding | undefined {
  const message = successMessage(job, succeededIndexes);
  return message === undefined ? undefined : { type: "SuccessCriteriaMet", reason: "SuccessPolicy", message };
}

/** With `restartPolicy: OnFailure`, the limit is on the restarts of containers. */
function hasRestartedTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const { backoffLimit = 6 } = spec;
  const running = pods.filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending");
  const restarts = running
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, backoffLimit);
}

function failure(reason: string, message: string): JobEnding {
  return { type: "FailureTarget", reason, message };
}
