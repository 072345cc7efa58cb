import { defineController, owned, recheckAfter } from "kaji";
import { Job } from "kaji/batch/v1";
import { CronJob } from "./cron-job.ts";
import { lastDue, nextDue } from "./schedule.ts";

export const cronJobController = defineController(CronJob, {
  owns: [owned(Job, { applied: false })], // Each is made once, and then lives its own life.
  async reconcile(cronJob, { cache, client, clock, create, event, setStatus }) {
    const { metadata, spec, status } = cronJob;
    const jobs = (are: (job: Job) => boolean) => cache.owned(Job).filter(are).toArray();
    const remove = (job: Job) => client.delete(Job, job, { propagationPolicy: "Background" });
    const nowMs = clock.now();
    const dueMs = dueNow(cronJob, nowMs);
    let lastScheduleTime = status?.lastScheduleTime;

    if (dueMs !== undefined) {
      // The same time, the same name: whatever happens in between, it is made once.
      const name = `${metadata.name}-${dueMs / 1000}`;
      const others = jobs((job) => isActive(job) && job.metadata.name !== name);
      if (spec.concurrencyPolicy === "Replace") for (const job of others) await remove(job);
      if (spec.concurrencyPolicy !== "Forbid" || others.length === 0) {
        const { metadata: { labels = {}, annotations = {} } = {}, spec: job } = spec.jobTemplate;
        await create(Job, { metadata: { name, labels, annotations }, spec: job });
        event("Normal", "Started", `Job ${name}`);
        lastScheduleTime = new Date(dueMs).toISOString();
      }
    }

    // That it was started is written down before a Job that shows it may be removed.
    const active = jobs(isActive).map((job) => job.metadata.name);
    await setStatus({ active: active.toSorted(), lastScheduleTime });
    for (const [outcome, limit] of [
      ["Complete", spec.successfulJobsHistoryLimit],
      ["Failed", spec.failedJobsHistoryLimit],
    ] as const) {
      const newestFirst = jobs((job) => outcomeOf(job) === outcome).toSorted((a, b) => b.metadata.name.localeCompare(a.metadata.name));
      for (const job of newestFirst.slice(limit)) await remove(job);
    }

    const nextMs = spec.suspend ? undefined : nextDue(spec.schedule, nowMs);
    return nextMs === undefined ? undefined : recheckAfter(nextMs - nowMs);
  },
});

/** The time for which a Job is to be started now; undefined if there is none. */
function dueNow({ metadata, spec, status }: CronJob, nowMs: number): number | undefined {
  const sinceMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const dueMs = spec.suspend ? undefined : lastDue(spec.schedule, nowMs);
  if (dueMs === undefined || dueMs <= sinceMs) return undefined;
  return nowMs <= dueMs + (spec.startingDeadlineSeconds ?? Infinity) * 1000 ? dueMs : undefined;
}

function isActive(job: Job): boolean {
  return outcomeOf(job) === undefined && job.metadata.deletionTimestamp === undefined;
}

/** How a Job ended; undefined while it runs. */
function outcomeOf({ status }: Job): string | undefined {
  return status?.conditions?.find(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True")?.type;
}
