import type { MergePatch } from "@kaji/client";
import { formatTime, isConditionTrue } from "@kaji/core";
import type { Clock, KubeObject } from "@kaji/core";
import { Job } from "@kaji/types/batch/v1";
import type { JobCondition, JobStatus } from "@kaji/types/batch/v1";
import type { World } from "../world-state.ts";
import type { Actor } from "./actor.ts";

const runMs = 1000;
const stepMs = 20;
/** How often a pod of a Job is tried again, if the Job does not say it. */
const usualRetries = 6;

/** How a Job ends. */
export type JobEnd = "Complete" | "Failed";

/** Lets Jobs say that they run and, after a second, that all went well, without the pods behind them; those that are suspended wait until they are resumed. */
export const jobs: Actor = jobsEnding(() => "Complete");

/** As `jobs`, but each comes to the end that is said of it when it is due: by what it is, or by what else there is, such as Jobs that failed before. */
export function jobsEnding(endOf: (job: Job, world: World) => JobEnd): Actor {
  return {
    name: "jobs",
    react({ type, object }, { client, clock, later, state }) {
      if (type === "Deleted" || !isJob(object)) return;
      const { uid = "" } = object.metadata;
      const step = nextStep(object);
      if (step === undefined) return;
      later(`${uid} ${step}`, step === "End" ? runMs : stepMs, async () => {
        const live = state.withUid(uid);
        if (live === undefined || !isJob(live) || nextStep(live) !== step) return;
        const status = statusAfter(step === "End" ? endOf(live, state) : step, live, clock);
        await client.mergePatch(Job, live.metadata, { status }, { subresource: "status" });
      });
    },
  };
}

/** What happens to a Job next. */
type Step = "Start" | "Suspend" | "Resume" | "End";

/** Undefined if nothing does. */
function nextStep({ spec, status }: Job): Step | undefined {
  if (status?.completionTime !== undefined || isConditionTrue(status?.conditions, "Failed")) return undefined;
  const isSaidSuspended = isConditionTrue(status?.conditions, "Suspended");
  if (spec?.suspend === true) return isSaidSuspended ? undefined : "Suspend";
  if (isSaidSuspended) return "Resume";
  return status?.startTime === undefined ? "Start" : "End";
}

/** What is said of a Job after a step, or in the end. */
function statusAfter(step: Exclude<Step, "End"> | JobEnd, { spec, status }: Job, clock: Clock): MergePatch<JobStatus> {
  const now = formatTime(clock.now());
  const said = (type: string, is: "True" | "False", reason: string): JobCondition => ({
    type,
    status: is,
    reason,
    message: "",
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  const { parallelism = 1, completions, backoffLimit = usualRetries } = spec ?? {};
  const active = Math.min(parallelism, completions ?? parallelism);
  const running = { startTime: now, active, ready: active };
  const resting = { active: null, ready: 0 };
  const others = (status?.conditions ?? []).filter(({ type }) => isEnd(step) || type !== "Suspended");
  switch (step) {
    case "Start":
      return running;
    case "Suspend":
      return { ...resting, startTime: null, conditions: [...others, said("Suspended", "True", "JobSuspended")] };
    case "Resume":
      return { ...running, conditions: [...others, said("Suspended", "False", "JobResumed")] };
    case "Complete": {
      const ends = ["SuccessCriteriaMet", "Complete"].map((type) => said(type, "True", "CompletionsReached"));
      return { ...resting, completionTime: now, succeeded: completions ?? 1, conditions: [...others, ...ends] };
    }
    case "Failed": {
      const ends = ["FailureTarget", "Failed"].map((type) => said(type, "True", "BackoffLimitExceeded"));
      return { ...resting, failed: backoffLimit + 1, conditions: [...others, ...ends] };
    }
    default:
      return step satisfies never;
  }
}

function isEnd(step: Step | JobEnd): step is JobEnd {
  return step === "Complete" || step === "Failed";
}

function isJob(object: KubeObject): object is Job {
  return object.apiVersion === "batch/v1" && object.kind === "Job";
}
