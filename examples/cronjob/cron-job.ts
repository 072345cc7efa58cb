import { defineResource, k, z } from "kaji";
import type { ObjectOf } from "kaji";
import { schemaOf } from "kaji/schemas";

const container = { name: "hello", image: "busybox", args: ["/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"] };

/** What both versions have. */
const common = {
  startingDeadlineSeconds: z.int().min(0).optional().describe("How late a Job may be started; then that time is left out."),
  concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]).default("Allow").describe("What to do while the Job before is still running."),
  suspend: z.boolean().default(false).describe("Whether no Jobs are started. Those that run go on."),
  jobTemplate: z
    .object({ metadata: schemaOf("meta.v1.ObjectMeta").optional(), spec: schemaOf("batch.v1.JobSpec") })
    .meta({ example: { spec: { template: { spec: { restartPolicy: "OnFailure", containers: [container] } } } } })
    .describe("What each Job is made from."),
  successfulJobsHistoryLimit: z.int32().min(0).default(3).describe("How many Jobs are kept that ended well."),
  failedJobsHistoryLimit: z.int32().min(0).default(1).describe("How many Jobs are kept that failed."),
};

const status = z.object({
  active: z.array(z.string()).default([]).describe("The names of the Jobs that run."),
  lastScheduleTime: k.time().optional().describe("The last time for which a Job was started."),
});

const schedule = z
  .string()
  .regex(/^\S+( \S+){4}$/)
  .meta({ example: "*/1 * * * *" })
  .describe("When, as in a crontab, in UTC.");
const field = z.string().regex(/^\S+$/).default("*");

export const CronJob = defineResource({
  group: "batch.tutorial.example.com",
  version: "v1",
  kind: "CronJob",
  description: "Starts Jobs at the times of a schedule.",
  names: { name: z.string().max(52) }, // The names of its Jobs are longer by eleven.
  spec: z.object({ schedule, ...common }),
  status,
  columns: { Schedule: "spec.schedule", Suspend: "spec.suspend", Last: "status.lastScheduleTime" },
  versions: {
    v2: {
      spec: z.object({ schedule: z.object({ minute: field, hour: field, dayOfMonth: field, month: field, dayOfWeek: field }), ...common }),
      status,
      columns: { Minute: "spec.schedule.minute", Hour: "spec.schedule.hour", Suspend: "spec.suspend", Last: "status.lastScheduleTime" },
    },
  },
});
export type CronJob = ObjectOf<typeof CronJob>;
