import { defineController, recheckAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { finishedCondition } from "./job-ending.ts";
import { saidTimeMs } from "../said-time.ts";

/** Deletes Jobs, and their pods first, when the time is over for which they are to stay after their end. */
export const ttlAfterFinishedController: Controller = defineController(Job, {
  name: "ttl-after-finished-controller",
  selfVerbs: ["delete"],
  async reconcile(job, { client, clock, live }) {
    const leftMs = timeLeftMs(job, clock.now());
    if (leftMs === undefined) return;
    if (leftMs > 0) return recheckAfter(leftMs);
    // The time may have been prolonged meanwhile, and what is deleted does not come back.
    const fresh = await live.get(Job, job.metadata);
    if (fresh?.metadata.uid !== job.metadata.uid || (timeLeftMs(fresh, clock.now()) ?? Infinity) > 0) return;
    await client.delete(Job, job, { propagationPolicy: "Foreground" });
  },
});

/** How long a job stays; undefined if for ever or if it is going already. */
function timeLeftMs(job: Job | undefined, nowMs: number): number | undefined {
  const { ttlSecondsAfterFinished } = job?.spec ?? {};
  if (job === undefined || ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const sinceMs = saidTimeMs(finishedCondition(job)?.lastTransitionTime);
  return sinceMs === undefined ? undefined : sinceMs + ttlSecondsAfterFinished * 1000 - nowMs;
}
