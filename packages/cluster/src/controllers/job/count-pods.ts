import { structuralEqual } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import type { JobStatus } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { omitEmpty } from "../omit-empty.ts";
import { isCounted } from "./failure-policy.ts";
import type { JobContext } from "./job-context.ts";
import type { JobEnding } from "./job-ending.ts";
import { indexOf, isIndexed } from "./job-indexes.ts";
import { countedStatus, endedStatus, endingStatus } from "./job-status.ts";
import type { JobTally } from "./job-tally.ts";
import { hasPodFailed, isTracked } from "./pod-tracking.ts";
import { releasePods } from "./release-pods.ts";

/** So many pods at most are counted in one go, so that the status stays small. */
const batchSize = 500;

/** What is to be counted, and where it ends. */
export interface Count {
  readonly job: Job;
  readonly tally: JobTally;
  readonly ending: JobEnding | undefined;
  /** What the status says besides. */
  readonly status: JobStatus;
}

/**
 * Counts each pod that has ended exactly once: its uid goes into the status, then its finalizer is removed, then a counter replaces the uid. After a crash in between, the next reconcile goes on from there. A
 * job that is to end has ended when all are counted and none is still terminating; tells whether that is so.
 */
export async function countPods({ job, tally, ending, status: given }: Count, context: JobContext): Promise<boolean> {
  const nowMs = context.clock.now();
  const finishes = (pod: Pod): boolean => canGo(pod, job, tally, ending);
  let kept = tally.pods.filter(isTracked);
  let current = job;
  let status = countedStatus(ending === undefined ? given : endingStatus(given, ending, nowMs), uidsOf(kept));
  for (let batch = kept.filter(finishes); batch.length > 0; batch = kept.filter(finishes)) {
    const next = batch.slice(0, batchSize);
    status = withUncounted(status, next, job, ending);
    current = await write(current, status, context);
    await releasePods(next, context);
    kept = kept.filter((pod) => !next.includes(pod));
    status = countedStatus(status, uidsOf(kept));
  }
  const isEnd = ending !== undefined && status.terminating === 0;
  await write(current, isEnd ? endedStatus(status, ending, nowMs) : status, context);
  return isEnd;
}

/** Whether a pod may be counted and released: it has ended, or its job has, and no successor needs its failure count. */
function canGo(pod: Pod, job: Job, { predecessors }: JobTally, ending: JobEnding | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || ending !== undefined || pod.status?.phase === "Succeeded") return true;
  return hasPodFailed(pod, job) && predecessors.get(indexOf(pod, job) ?? -1)?.metadata.uid !== pod.metadata.uid;
}

function withUncounted(status: JobStatus, batch: readonly Pod[], job: Job, ending: JobEnding | undefined): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const isSuccess = (pod: Pod): boolean => pod.status?.phase === "Succeeded" && !failed.includes(pod.metadata.uid ?? "");
  // Successes of an Indexed job are counted by its completed indexes.
  const successes = isIndexed(job) ? [] : batch.filter(isSuccess);
  const failures = batch.filter((pod) => !isSuccess(pod) && isFailure(pod, job, ending));
  return {
    ...status,
    uncountedTerminatedPods: omitEmpty({
      succeeded: [...new Set(succeeded).union(uidsOf(successes))],
      failed: [...new Set(failed).union(uidsOf(failures))],
    }),
  };
}

/** In a job that has failed, every pod that has not succeeded counts as failed; in one that has succeeded, pods that the controller deleted do not. */
function isFailure(pod: Pod, job: Job, ending: JobEnding | undefined): boolean {
  if (isIndexed(job) && indexOf(pod, job) === undefined) return false;
  const isOwnEnd = pod.status?.phase === "Failed" && pod.metadata.deletionTimestamp === undefined;
  const hasFailed = ending?.type === "SuccessCriteriaMet" ? isOwnEnd : ending !== undefined || hasPodFailed(pod, job);
  return hasFailed && isCounted(job, pod);
}

async function write(job: Job, status: JobStatus, { client }: JobContext): Promise<Job> {
  return structuralEqual(status, job.status) ? job : client.updateStatus(Job, { ...job, status });
}

function uidsOf(pods: readonly Pod[]): ReadonlySet<string> {
  return new Set(pods.map(({ metadata }) => metadata.uid ?? ""));
}
