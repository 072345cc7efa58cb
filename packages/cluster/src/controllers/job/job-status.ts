import { findCondition, formatTime, isConditionTrue } from "@kaji/core";
import type { Job, JobCondition, JobStatus } from "@kaji/types/batch/v1";
import { omitEmpty } from "../omit-empty.ts";
import { hasLimitPerIndex } from "./index-failures.ts";
import type { JobEnding } from "./job-ending.ts";
import { indexText, isIndexed } from "./job-indexes.ts";
import type { JobTally } from "./job-tally.ts";

/** The status of a job with the counts of its present pods; `countPods` counts those that have ended. */
export function presentStatus(job: Job, tally: JobTally): JobStatus {
  const { active: _active, completedIndexes: _indexes, succeeded = 0, ...status } = job.status ?? {};
  const { succeededIndexes, failedIndexes } = tally;
  return {
    ...status,
    ready: tally.ready,
    terminating: tally.terminating.length,
    uncountedTerminatedPods: status.uncountedTerminatedPods ?? {},
    ...omitEmpty({
      active: tally.active.length,
      succeeded: isIndexed(job) ? succeededIndexes.size : succeeded,
      completedIndexes: isIndexed(job) ? indexText(succeededIndexes) : "",
    }),
    ...(hasLimitPerIndex(job) ? { failedIndexes: indexText(failedIndexes) } : {}),
  };
}

/** The status of a job that is about to end for a reason. */
export function endingStatus(status: JobStatus, { type, reason, message }: JobEnding, nowMs: number): JobStatus {
  if (isConditionTrue(status.conditions, type)) return status;
  return { ...status, conditions: [...(status.conditions ?? []), condition(type, "True", reason, message, nowMs)] };
}

/** The status of a job that has ended. */
export function endedStatus(status: JobStatus, { type, reason, message }: JobEnding, nowMs: number): JobStatus {
  const isSuccess = type === "SuccessCriteriaMet";
  const ended = condition(isSuccess ? "Complete" : "Failed", "True", reason, message, nowMs);
  return {
    ...status,
    conditions: [...(status.conditions ?? []), ended],
    ...(isSuccess ? { completionTime: formatTime(nowMs) } : {}),
  };
}

/** The status of a job that has just been suspended or resumed; the very same if it says so already. One that never was suspended does not say that it is not. */
export function suspensionStatus(status: JobStatus, isSuspended: boolean, nowMs: number): JobStatus {
  const present = findCondition(status.conditions, "Suspended");
  if ((present?.status === "True") === isSuspended) return status;
  const next = isSuspended
    ? condition("Suspended", "True", "JobSuspended", "Job suspended", nowMs)
    : condition("Suspended", "False", "JobResumed", "Job resumed", nowMs);
  const { startTime: _startTime, conditions = [], ...rest } = status;
  return {
    ...rest,
    // How long a job has been active is counted from its last resumption.
    ...(isSuspended ? {} : { startTime: formatTime(nowMs) }),
    conditions: present === undefined ? [...conditions, next] : conditions.map((each) => (each === present ? next : each)),
  };
}

/** The status with those pods counted for good that are kept no longer; `kept` are the uids of the others. */
export function countedStatus(status: JobStatus, kept: ReadonlySet<string>): JobStatus {
  const { succeeded: successes = [], failed: failures = [] } = status.uncountedTerminatedPods ?? {};
  const { succeeded = 0, failed = 0, ...rest } = status;
  const [openSuccesses, openFailures] = [successes.filter((uid) => kept.has(uid)), failures.filter((uid) => kept.has(uid))];
  return {
    ...rest,
    ...omitEmpty({
      succeeded: succeeded + successes.length - openSuccesses.length,
      failed: failed + failures.length - openFailures.length,
    }),
    uncountedTerminatedPods: omitEmpty({ succeeded: openSuccesses, failed: openFailures }),
  };
}

function condition(type: string, status: "True" | "False", reason: string, message: string, nowMs: number): JobCondition {
  const now = formatTime(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}
