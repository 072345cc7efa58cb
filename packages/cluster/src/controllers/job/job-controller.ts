import { formatTime } from "@kaji/core";
import type { LabelSelector } from "@kaji/core";
import { defineController, owned, recheckAfter, watch } from "@kaji/runtime";
import type { Controller, Result } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { Pod } from "@kaji/types/core/v1";
import { strayPods } from "../ownership/stray-index.ts";
import { createPod, deletePods } from "../pods/pod-control.ts";
import { takersOf } from "../pods/pod-ownership.ts";
import { slowStart } from "../slow-start.ts";
import { claimJobPods, podsOf } from "./claim-job-pods.ts";
import { countPods } from "./count-pods.ts";
import type { JobContext } from "./job-context.ts";
import { completionsReached, deadlineLeftMs, endingOf, finishedCondition } from "./job-ending.ts";
import type { JobEnding } from "./job-ending.ts";
import { jobPod } from "./job-pod.ts";
import { presentStatus, suspensionStatus } from "./job-status.ts";
import { tallyPods } from "./job-tally.ts";
import type { JobTally } from "./job-tally.ts";
import { planPods } from "./pod-plan.ts";
import { releasePods } from "./release-pods.ts";

/** What `managedBy` names for jobs that this controller manages; the default. */
const manager = "kubernetes.io/job-controller";

/** Runs the pods of each Job until enough have succeeded, or too many failed. */
export const jobController: Controller = defineController(Job, {
  name: "job-controller",
  owns: [owned(Pod, { applied: false, indexes: [strayPods] })],
  watches: [watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, Job, selectorOf) })],
  concurrency: 5,
  async reconcile(job, context) {
    if (!isManagedElsewhere(job) && finishedCondition(job) === undefined) return reconcileJob(job, context);
  },
});

/** Whether `managedBy` names another controller. */
export function isManagedElsewhere({ spec }: Job): boolean {
  return (spec?.managedBy ?? manager) !== manager;
}

async function reconcileJob(given: Job, context: JobContext): Promise<Result> {
  const nowMs = context.clock.now();
  const job = startedJob(given, nowMs);
  const isSuspended = job.spec?.suspend === true;
  await claimJobPods(job, context);
  const before = tallyPods(job, podsOf(job, context));
  const ending = endingOf(job, before, nowMs);
  const { failure, waitMs } = await carryOut(job, before, ending, context);
  const tally = tallyPods(job, podsOf(job, context));
  const present = presentStatus(job, tally);
  const finalEnding = ending ?? (isComplete(job, tally) ? completionsReached : undefined);
  const mayChange = finalEnding === undefined && job.metadata.deletionTimestamp === undefined;
  const status = mayChange ? suspensionStatus(present, isSuspended, nowMs) : present;
  if (status !== present && isSuspended) context.event("Normal", "Suspended", "Job suspended");
  if (status !== present && !isSuspended) context.event("Normal", "Resumed", "Job resumed");
  // `given` has the status of the server: `job` may have a start time that the server does not know yet, and then the status must be written.
  const isEnd = await countPods({ job: given, tally, ending: finalEnding, status }, context);
  if (isEnd && finalEnding !== undefined) announce(job, tally, finalEnding, context);
  if (failure !== undefined) throw failure.error;
  const leftMs = isEnd ? undefined : deadlineLeftMs({ ...job, status }, nowMs);
  const nextMs = Math.min(...[waitMs, leftMs].filter((ms) => ms !== undefined).filter((ms) => ms > 0));
  return nextMs === Infinity ? undefined : recheckAfter(nextMs);
}

function startedJob(job: Job, nowMs: number): Job {
  if (job.status?.startTime !== undefined || job.spec?.suspend === true) return job;
  return { ...job, status: { ...job.status, startTime: formatTime(nowMs) } };
}

interface Done {
  readonly failure?: { readonly error: unknown };
  readonly waitMs?: number | undefined;
}

/** Creates or deletes pods. A failure is returned, not thrown, so that the caller can write the status first. */
async function carryOut(job: Job, tally: JobTally, ending: JobEnding | undefined, context: JobContext): Promise<Done> {
  try {
    if (ending !== undefined) {
      await deletePods(tally.active, context);
      return {};
    }
    if (job.metadata.deletionTimestamp !== undefined) return {};
    const { deletions, creations, waitMs } = planPods(job, tally, context.clock.now());
    // A pod that is released before its deletion is not counted as a failure.
    await releasePods(deletions, context);
    await deletePods(deletions, context);
    const waiting = [...creations];
    await slowStart(creations.length, () => {
      const index = waiting.shift();
      return createPod(jobPod(job, index, index === undefined ? undefined : tally.predecessors.get(index)), context);
    });
    return { waitMs };
  } catch (error) {
    return { failure: { error } };
  }
}

/** A job without a number of completions is complete with its first success, when its other pods have ended. */
function isComplete({ spec }: Job, { succeeded, active }: JobTally): boolean {
  return active.length === 0 && (spec?.completions === undefined ? succeeded > 0 : succeeded >= spec.completions);
}

function announce({ spec }: Job, { succeeded }: JobTally, { type, reason, message }: JobEnding, { event }: JobContext): void {
  if (type === "FailureTarget") {
    event("Warning", reason, message);
    return;
  }
  if (succeeded > (spec?.completions ?? Infinity)) {
    event("Warning", "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
  }
  event("Normal", "Completed", "Job completed");
}

function selectorOf({ spec }: Job): LabelSelector | undefined {
  return spec?.selector;
}
