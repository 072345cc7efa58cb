import { parseTime } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import type { CronJob, CronJobStatus } from "@kaji/types/batch/v1";
import type { ObjectReference } from "@kaji/types/core/v1";
import { finishedCondition } from "../job/job-ending.ts";
import type { CronContext } from "./cron-context.ts";

/** Deletes the oldest of the jobs that have ended, where there are more than are to be kept. */
export async function trimHistory({ spec }: CronJob, { cache, client, event }: CronContext): Promise<void> {
  const ended = Map.groupBy(
    [...cache.owned(Job)].filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    (job) => finishedCondition(job)?.type,
  );
  const limits = [
    [ended.get("Complete") ?? [], spec.successfulJobsHistoryLimit],
    [ended.get("Failed") ?? [], spec.failedJobsHistoryLimit],
  ] as const;
  for (const [jobs, limit = Infinity] of limits) {
    for (const job of jobs.toSorted(byStart).slice(0, Math.max(0, jobs.length - limit))) {
      await client.delete(Job, job, { propagationPolicy: "Background" });
      event("Normal", "SuccessfulDelete", `Deleted job ${job.metadata.name}`);
    }
  }
}

/** What the status of a CronJob says when it has looked at its jobs: which are active, and when one last succeeded. */
export async function lookAtJobs(cronJob: CronJob, context: CronContext): Promise<CronJobStatus> {
  const { active = [], lastSuccessfulTime: lastKnown, ...rest } = cronJob.status ?? {};
  const jobs: readonly Job[] = [...context.cache.owned(Job)];
  const over = new Set([...endedJobs(jobs, active, context), ...(await missingJobs(jobs, active, context))]);
  const left = active.filter(({ uid = "" }) => !over.has(uid));
  const lastSuccessfulTime = lastSuccess(jobs, lastKnown);
  return { ...rest, ...(left.length === 0 ? {} : { active: left }), ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }) };
}

/** The uids of jobs that have ended. */
function endedJobs(jobs: readonly Job[], active: readonly ObjectReference[], { event }: CronContext): readonly string[] {
  return jobs.flatMap((job) => {
    const { name, uid = "" } = job.metadata;
    const condition = finishedCondition(job);
    const isKnown = active.some((each) => each.uid === uid);
    if (condition !== undefined && isKnown) event("Normal", "SawCompletedJob", `Saw completed job: ${name}, condition: ${condition.type}`);
    if (condition === undefined && !isKnown) {
      event("Warning", "UnexpectedJob", `Saw a job that the controller did not create or forgot: ${name}`);
    }
    return condition === undefined ? [] : [uid];
  });
}

/** The uids of jobs that are said to be active and are not there. */
async function missingJobs(
  jobs: readonly Job[],
  active: readonly ObjectReference[],
  { event, live }: CronContext,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { uid = "", namespace = "", name = "" } of active) {
    if (jobs.some(({ metadata }) => metadata.uid === uid)) continue;
    if ((await live.get(Job, { namespace, name }))?.metadata.uid === uid) continue;
    event("Normal", "MissingJob", `Active job went missing: ${name}`);
    missing.push(uid);
  }
  return missing;
}

function lastSuccess(jobs: readonly Job[], lastKnown: string | undefined): string | undefined {
  const times = jobs.filter((job) => finishedCondition(job)?.type === "Complete").map(({ status }) => status?.completionTime);
  return times.reduce((last, time) => (time !== undefined && isAfter(time, last) ? time : last), lastKnown);
}

function isAfter(time: string, other: string | undefined): boolean {
  return other === undefined || parseTime(time) > parseTime(other);
}

function byStart(left: Job, right: Job): number {
  const [leftMs, rightMs] = [left, right].map(({ status }) => (status?.startTime === undefined ? Infinity : parseTime(status.startTime)));
  if (leftMs !== rightMs) return (leftMs ?? 0) < (rightMs ?? 0) ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
