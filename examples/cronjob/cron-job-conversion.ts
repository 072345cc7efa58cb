import { convert } from "kaji";
import { CronJob } from "./cron-job.ts";

export const cronJobConversion = convert(CronJob, {
  v2: ({ map, same }) => [
    map("spec.schedule", "spec.schedule", {
      toHub: ({ minute, hour, dayOfMonth, month, dayOfWeek }) => [minute, hour, dayOfMonth, month, dayOfWeek].join(" "),
      fromHub: (schedule) => {
        const [minute = "*", hour = "*", dayOfMonth = "*", month = "*", dayOfWeek = "*"] = schedule.split(" ");
        return { minute, hour, dayOfMonth, month, dayOfWeek };
      },
    }),
    same("spec.startingDeadlineSeconds"),
    same("spec.concurrencyPolicy"),
    same("spec.suspend"),
    same("spec.jobTemplate"),
    same("spec.successfulJobsHistoryLimit"),
    same("spec.failedJobsHistoryLimit"),
    same("status"),
  ],
});
