import { test } from "node:test";
import { explore, jobs, workloads } from "@kaji/testing";
import { Job } from "kaji/batch/v1";
import { CronJob } from "./cron-job.ts";
import { operator } from "./operator.ts";

const template = { spec: { restartPolicy: "Never", containers: [{ name: "report", image: "example.com/report" }] } } as const;

// Due in a minute, and then in a year: what goes by the clock must come to rest to be judged. No Job that ended shows that it was.
const spec = {
  schedule: "1 0 1 1 *",
  concurrencyPolicy: "Forbid",
  successfulJobsHistoryLimit: 0,
  jobTemplate: { spec: { template } },
} as const;

test("a Job is started once, wherever the operator is killed and whichever answer is lost", async () => {
  await explore({
    ...operator,
    world: [workloads, jobs],
    ops: (user) => [
      user.create(CronJob, { metadata: { name: "report", namespace: "default" }, spec }),
      user.mergePatch(CronJob.versions.v2, "default/report", { spec: { schedule: { minute: "2" } } }),
      user.delete(CronJob, "default/report"),
    ],
    always: { "one at a time": ({ list }) => list(Job).length <= 1 },
    faults: { only: ["Crash", "LoseAnswer"] },
    runs: 60,
  }).expectNoViolations();
});
