import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { CronJob, Job } from "@kaji/types/batch/v1";
import type { CronJobSpec } from "@kaji/types/batch/v1";
import { Event } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const address = { namespace: "default", name: "tick" };
const minuteMs = 60_000;

interface CronWorld extends AsyncDisposable {
  readonly cluster: Cluster;
  create(spec: Partial<CronJobSpec>, command?: readonly string[]): Promise<void>;
  cronJob(): Promise<CronJob>;
  jobs(): Promise<readonly Job[]>;
  reasons(): Promise<readonly string[]>;
  pass(ms: number): Promise<void>;
}

async function startWorld(): Promise<CronWorld> {
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:30Z"));
  const controllers = ["cronjob-controller", "job-controller", "node-lifecycle-controller"];
  const cluster = await startCluster({ clock, random: seededRandom(1), controllers });
  return {
    cluster,
    async create(spec, command = ["true"]) {
      const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "busybox", command }] } };
      const jobTemplate = { spec: { template } };
      await cluster.client.create(CronJob, { metadata: address, spec: { schedule: "* * * * *", jobTemplate, ...spec } });
      await cluster.settled();
    },
    cronJob: () => cluster.client.get(CronJob, address),
    jobs: async () => (await cluster.client.list(Job, { namespace: "default" })).items,
    reasons: async () => {
      const { items } = await cluster.client.list(Event, { namespace: "default", fieldSelector: "involvedObject.kind=CronJob" });
      return [...new Set(items.map(({ reason = "" }) => reason))].toSorted();
    },
    async pass(ms) {
      await clock.advance(ms);
      await cluster.settled();
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

test("a job is started at each time of the schedule, and named after it; of those that have ended some are kept", async () => {
  await using world = await startWorld();
  await world.create({ successfulJobsHistoryLimit: 2 });
  assert.deepEqual(await world.jobs(), []);
  await world.pass(5 * minuteMs);
  const jobs = await world.jobs();
  const minute = Date.parse("2026-01-01T00:00:00Z") / minuteMs;
  assert.deepEqual(
    jobs.map(({ metadata }) => metadata.name),
    [`tick-${minute + 4}`, `tick-${minute + 5}`],
  );
  assert.equal(jobs[0]?.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"], "2026-01-01T00:04:00Z");
  assert.deepEqual((await world.cronJob()).status, {
    lastScheduleTime: "2026-01-01T00:05:00Z",
    lastSuccessfulTime: "2026-01-01T00:05:00Z",
  });
  assert.deepEqual(await world.reasons(), ["SawCompletedJob", "SuccessfulCreate", "SuccessfulDelete"]);
});

test("a schedule in a time zone is due when clocks there say so", async () => {
  await using world = await startWorld();
  await world.create({ schedule: "30 9 * * *", timeZone: "Asia/Tokyo" });
  await world.pass(31 * minuteMs);
  const [job] = await world.jobs();
  assert.equal(job?.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"], "2026-01-01T09:30:00+09:00");
});

test("a job that still runs keeps the next from starting, is replaced by it, or runs beside it", async () => {
  for (const [concurrencyPolicy, active] of [
    ["Forbid", ["00:01"]],
    ["Replace", ["00:03"]],
    ["Allow", ["00:01", "00:02", "00:03"]],
  ] as const) {
    await using world = await startWorld();
    await world.create({ concurrencyPolicy }, ["sleep", "100000"]);
    await world.pass(3 * minuteMs);
    const times = (await world.jobs())
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.creationTimestamp?.slice(11, 16));
    assert.deepEqual(times, active, concurrencyPolicy);
    assert.equal((await world.cronJob()).status?.active?.length, active.length);
    assert.equal((await world.reasons()).includes("JobAlreadyActive"), concurrencyPolicy === "Forbid");
  }
});

test("times that pass while it is suspended are made up for by the last of them, unless it is too late", async () => {
  for (const [startingDeadlineSeconds, started] of [
    [undefined, 1],
    [100, 1],
    [10, 0],
  ] as const) {
    await using world = await startWorld();
    await world.create({ suspend: true, ...(startingDeadlineSeconds === undefined ? {} : { startingDeadlineSeconds }) });
    await world.pass(3 * minuteMs);
    assert.deepEqual(await world.jobs(), []);
    await world.cluster.client.mergePatch(CronJob, address, { spec: { suspend: false } });
    await world.cluster.settled();
    assert.equal((await world.jobs()).length, started);
  }
});

test("a schedule that is never due is said to be invalid", async () => {
  await using world = await startWorld();
  await world.create({ schedule: "0 0 31 2 *" });
  assert.deepEqual(await world.reasons(), ["InvalidSchedule"]);
});

test("a job that goes missing is active no longer", async () => {
  await using world = await startWorld();
  await world.create({ schedule: "1 * * * *" }, ["sleep", "100000"]);
  await world.pass(minuteMs);
  const [job] = await world.jobs();
  assert.ok(job !== undefined);
  await world.cluster.client.delete(Job, job.metadata, { propagationPolicy: "Background" });
  await world.cluster.settled();
  assert.deepEqual([(await world.cronJob()).status?.active, (await world.jobs()).length], [undefined, 0]);
  assert.ok((await world.reasons()).includes("MissingJob"));
});
