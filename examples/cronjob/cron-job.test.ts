import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConversion, testCluster } from "@kaji/testing";
import type { TestCluster } from "@kaji/testing";
import { Job } from "kaji/batch/v1";
import { cronJobConversion } from "./cron-job-conversion.ts";
import { CronJob } from "./cron-job.ts";
import { operator } from "./operator.ts";

const { v2 } = CronJob.versions;
const template = { spec: { restartPolicy: "Never", containers: [{ name: "report", image: "example.com/report" }] } } as const;
const cronJob = {
  metadata: { name: "report", namespace: "default" },
  spec: { schedule: "*/10 * * * *", jobTemplate: { metadata: { labels: { app: "report" } }, spec: { template, backoffLimit: 0 } } },
} as const;

/** The minutes of the hour for which there are Jobs. */
async function minutes({ client }: TestCluster): Promise<readonly number[]> {
  const { items } = await client.list(Job, { labelSelector: "app=report" });
  return items
    .map(({ metadata }) => new Date(Number(metadata.name.replace("report-", "")) * 1000).getUTCMinutes())
    .toSorted((a, b) => a - b);
}

test("a Job is started at each time of the schedule, and the last of those that ended well and that failed are kept", async () => {
  await using cluster = await testCluster(operator);
  const pods = cluster.pods.match("batch.kubernetes.io/job-name").succeed();
  await cluster.client.create(CronJob, cronJob);
  await cluster.settled();
  assert.deepEqual(await minutes(cluster), []);
  await cluster.advance("45m");
  assert.deepEqual(await minutes(cluster), [20, 30, 40]);
  pods.exit(1);
  await cluster.advance("14m");
  assert.deepEqual(await minutes(cluster), [20, 30, 40, 50]);
  const { status } = await cluster.client.get(CronJob, "default/report");
  assert.deepEqual(status, { active: [], lastScheduleTime: "2026-01-01T00:50:00.000Z" });
});

test("what is still running when the next time comes is left, awaited or replaced", async () => {
  for (const [concurrencyPolicy, expected] of [
    ["Allow", [10, 20, 30]],
    ["Forbid", [10]],
    ["Replace", [30]],
  ] as const) {
    await using cluster = await testCluster(operator);
    await cluster.client.create(CronJob, { ...cronJob, spec: { ...cronJob.spec, concurrencyPolicy } });
    await cluster.advance("35m");
    assert.deepEqual(await minutes(cluster), expected, concurrencyPolicy);
    const { status } = await cluster.client.get(CronJob, "default/report");
    assert.equal(status?.active.length, expected.length);
  }
});

test("a time that passed while it was suspended is made up for, unless it is too long ago", async () => {
  for (const [startingDeadlineSeconds, expected] of [
    [3600, [20]],
    [60, []],
  ] as const) {
    await using cluster = await testCluster(operator);
    await cluster.client.create(CronJob, { ...cronJob, spec: { ...cronJob.spec, startingDeadlineSeconds, suspend: true } });
    await cluster.advance("25m");
    assert.deepEqual(await minutes(cluster), []);
    await cluster.client.mergePatch(CronJob, "default/report", { spec: { suspend: false } });
    await cluster.settled();
    assert.deepEqual(await minutes(cluster), expected);
  }
});

test("both versions are one resource, and what is no schedule is refused in either", async () => {
  checkConversion(cronJobConversion);
  await using cluster = await testCluster(operator);
  const spec = { jobTemplate: cronJob.spec.jobTemplate, schedule: { minute: "*/10" } };
  await cluster.client.create(v2, { ...cronJob, spec });
  assert.equal((await cluster.client.get(CronJob, "default/report")).spec.schedule, "*/10 * * * *");
  await assert.rejects(
    cluster.client.mergePatch(v2, "default/report", { spec: { schedule: { minute: "61" } } }),
    /spec\.schedule: Invalid value: "61 \* \* \* \*": CronPattern: Invalid value for minute: 61/,
  );
});
