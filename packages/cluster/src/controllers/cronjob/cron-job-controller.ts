import { formatTime, isNamespaceEnding, isReason, structuralEqual } from "@kaji/core";
import { defineController, owned, recheckAfter } from "@kaji/runtime";
import type { Controller, Result } from "@kaji/runtime";
import { CronJob, Job } from "@kaji/types/batch/v1";
import type { CronJobStatus } from "@kaji/types/batch/v1";
import { failureMessage } from "../failure-message.ts";
import { finishedCondition } from "../job/job-ending.ts";
import type { CronContext } from "./cron-context.ts";
import { lookAtJobs, trimHistory } from "./cron-children.ts";
import { decideRun } from "./cron-decision.ts";
import type { RunDecision } from "./cron-decision.ts";
import { jobFor, referenceTo } from "./cron-run.ts";

/** Starts a Job of each CronJob whenever its schedule says so. */
export const cronJobController: Controller = defineController(CronJob, {
  name: "cronjob-controller",
  owns: [owned(Job, { applied: false })],
  concurrency: 5,
  async reconcile(cronJob, context) {
    await trimHistory(cronJob, context);
    const seen = await lookAtJobs(cronJob, context);
    const decision = decideRun({ ...cronJob, status: seen }, context.clock.now());
    for (const { type, reason, message } of decision.events) context.event(type, reason, message);
    let status = seen;
    try {
      if (decision.dueMs !== undefined) status = await startRun(cronJob, seen, decision.dueMs, context);
    } finally {
      if (!structuralEqual(status, cronJob.status ?? {})) await context.client.updateStatus(CronJob, { ...cronJob, status });
    }
    return nextLook(decision, context);
  },
});

function nextLook({ nextMs }: RunDecision, { clock }: CronContext): Result {
  return nextMs === undefined ? undefined : recheckAfter(Math.max(1, nextMs - clock.now()));
}

/** Starts the job that is due. Its name follows from its time, so that no time has two. */
async function startRun(cronJob: CronJob, status: CronJobStatus, dueMs: number, context: CronContext): Promise<CronJobStatus> {
  const { client, event, live } = context;
  let active = status.active ?? [];
  if (cronJob.spec.concurrencyPolicy === "Replace") {
    for (const { namespace = "", name = "" } of active) {
      const job = await live.get(Job, { namespace, name });
      if (job !== undefined) await client.delete(Job, job, { propagationPolicy: "Background" });
      event("Normal", "SuccessfulDelete", `Deleted job ${name}`);
    }
    active = [];
  }
  const draft = jobFor(cronJob, dueMs);
  let job: Job | undefined;
  try {
    job = await client.create(Job, draft);
    event("Normal", "SuccessfulCreate", `Created job ${job.metadata.name}`);
  } catch (error) {
    if (isNamespaceEnding(error)) return { ...status, active };
    if (!isReason(error, "AlreadyExists")) {
      event("Warning", "FailedCreate", `Error creating job: ${failureMessage(error)}`);
      throw error;
    }
    // Either this controller made it before a crash and its cache does not have it yet, or it has another owner.
    job = await live.get(Job, draft.metadata);
    if (job?.metadata.ownerReferences?.some(({ uid }) => uid === cronJob.metadata.uid) !== true) return { ...status, active };
  }
  // A job made before a crash may have finished by now: as no event would follow, it would stay active in the status for ever.
  const started = finishedCondition(job) === undefined ? [referenceTo(job)] : [];
  const all = [...active, ...started];
  const { active: _before, ...rest } = status;
  return { ...rest, ...(all.length === 0 ? {} : { active: all }), lastScheduleTime: formatTime(dueMs) };
}
