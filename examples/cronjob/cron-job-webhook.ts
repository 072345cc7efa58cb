import { FieldPath, invalidValue, webhook } from "kaji";
import { CronJob } from "./cron-job.ts";
import { problemOf } from "./schedule.ts";

/** Refuses what looks like a schedule and is none. Whichever version a user speaks, it is asked about this one. */
export const cronJobWebhook = webhook(CronJob, {
  validate({ spec: { schedule } }) {
    const problem = problemOf(schedule);
    if (problem !== undefined) return invalidValue(FieldPath.of("spec", "schedule"), schedule, problem);
  },
});
