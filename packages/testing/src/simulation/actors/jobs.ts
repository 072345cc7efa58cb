import type { MergePatch } from "@kaji/client";
import { formatTime, isConditionTrue } from "@kaji/core";
import type { Clock, KubeObject } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import type { JobCondition, JobStatus } from "@kaji/types/batch/v1";
import type { Actor } from "./actor.ts";
import { unlessOutrun } from "./unless-outrun.ts";

const runMs = 1000;
const stepMs = 20;

/** Lets Jobs come to a good end after a second, without the pods behind them; those that are suspended wait until they are resumed. */
export const jobs: Actor = {
  name: "jobs",
  react({ type, object }, { client, clock, later, state }) {
    if (type === "Deleted" || !isJob(object)) return;
    const { uid = "" } = object.metadata;
    const step = nextStep(object);
    if (step === undefined) return;
    later(`${uid} ${step}`, step === "End" ? runMs : stepMs, async () => {
      const live = state.withUid(uid);
      if (live === undefined || !isJob(live) || nextStep(live) !== step) return;
      await unlessOutrun(client.mergePatch(Job, live.metadata, { status: statusAfter(step, live, clock) }, { subresource: "status" }));
    });
  },
};

/** What happens to a Job next. */
type Step = "Suspend" | "Resume" | "End";

/** Undefined if nothing does. */
function nextStep({ spec, status }: Job): Step | undefined {
  if (status?.completionTime !== undefined) return undefined;
  const isSaidSuspended = isConditionTrue(status?.conditions, "Suspended");
  if (spec?.suspend === true) return isSaidSuspended ? undefined : "Suspend";
  return isSaidSuspended ? "Resume" : "End";
}

/** What is said of a Job after a step. */
function statusAfter(step: Step, { metadata, status }: Job, clock: Clock): MergePatch<JobStatus> {
  const now = formatTime(clock.now());
  const said = (type: string, is: "True" | "False", reason: string): JobCondition => ({
    type,
    status: is,
    reason,
    message: "",
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  const others = (status?.conditions ?? []).filter(({ type }) => step === "End" || type !== "Suspended");
  switch (step) {
    case "Suspend":
      return { startTime: null, conditions: [...others, said("Suspended", "True", "JobSuspended")] };
    case "Resume":
      return { startTime: now, conditions: [...others, said("Suspended", "False", "JobResumed")] };
    case "End": {
      const ends = ["SuccessCriteriaMet", "Complete"].map((type) => said(type, "True", "CompletionsReached"));
      const startTime = status?.startTime ?? metadata.creationTimestamp ?? now;
      return { startTime, completionTime: now, succeeded: 1, conditions: [...others, ...ends] };
    }
    default:
      return step satisfies never;
  }
}

function isJob(object: KubeObject): object is Job {
  return object.apiVersion === "batch/v1" && object.kind === "Job";
}
