import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Job } from "@kaji/types/batch/v1";
import type { JobSpec } from "@kaji/types/batch/v1";
import { Event, Pod } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");
const address = { namespace: "default", name: "work" };

interface JobWorld extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly clock: ManualClock;
  /** Creates the job. */
  create(spec: Partial<JobSpec>, command?: readonly string[]): Promise<void>;
  job(): Promise<Job>;
  pods(): Promise<readonly Pod[]>;
  pass(ms: number): Promise<void>;
}

async function startWorld(...more: readonly string[]): Promise<JobWorld> {
  const clock = new ManualClock(startMs);
  const controllers = ["job-controller", "node-lifecycle-controller", ...more];
  const cluster = await startCluster({ clock, random: seededRandom(1), controllers });
  return {
    cluster,
    clock,
    async create(spec, command = ["true"]) {
      const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "busybox", command }] } };
      await cluster.client.create(Job, { metadata: address, spec: { template, ...spec } });
      await cluster.settled();
    },
    job: () => cluster.client.get(Job, address),
    pods: async () => (await cluster.client.list(Pod, { namespace: "default" })).items,
    async pass(ms) {
      await clock.advance(ms);
      await cluster.settled();
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

function typesOf({ status }: Job): readonly string[] {
  return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value}:${reason}`);
}

test("a job is complete when as many pods have succeeded as it wants, and none is kept any longer", async () => {
  await using world = await startWorld();
  await world.create({ completions: 3, parallelism: 2 });
  const job = await world.job();
  assert.deepEqual(typesOf(job), ["SuccessCriteriaMet=True:CompletionsReached", "Complete=True:CompletionsReached"]);
  const { conditions: _conditions, startTime, completionTime, ...status } = job.status ?? {};
  assert.deepEqual(status, { ready: 0, succeeded: 3, terminating: 0, uncountedTerminatedPods: {} });
  assert.deepEqual([startTime, completionTime], ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"]);
  assert.ok((await world.pods()).every(({ metadata }) => metadata.finalizers === undefined));
  const { items } = await world.cluster.client.list(Event, { namespace: "default" });
  const reasons = items.filter(({ involvedObject }) => involvedObject.kind === "Job").map(({ reason = "" }) => reason);
  assert.deepEqual(reasons.toSorted(), ["Completed", "SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate"]);
});

test("a job that fails tries again after 10 s, 20 s, 40 s and so on, at most 10 min, until its limit", async () => {
  await using world = await startWorld();
  await world.create({ backoffLimit: 8 }, ["false"]);
  const births: number[] = [];
  await world.pass(3_600_000);
  const job = await world.job();
  for (const { metadata } of await world.pods()) births.push((Date.parse(metadata.creationTimestamp ?? "") - startMs) / 1000);
  const gaps = births.toSorted((left, right) => left - right).map((birth, index, all) => birth - (all[index - 1] ?? birth));
  assert.deepEqual(gaps.slice(1), [10, 20, 40, 80, 160, 320, 600, 600]);
  assert.deepEqual(typesOf(job), ["FailureTarget=True:BackoffLimitExceeded", "Failed=True:BackoffLimitExceeded"]);
  assert.equal(job.status?.failed, 9);
});

test("an indexed job has a pod for each index, and says which have succeeded", async () => {
  await using world = await startWorld();
  await world.create({ completions: 5, parallelism: 3, completionMode: "Indexed" });
  const { status } = await world.job();
  assert.deepEqual([status?.completedIndexes, status?.succeeded], ["0-4", 5]);
  const pods = await world.pods();
  assert.deepEqual(pods.map(({ spec }) => spec?.hostname ?? "").toSorted(), ["work-0", "work-1", "work-2", "work-3", "work-4"]);
  assert.match(pods[0]?.metadata.name ?? "", /^work-\d-[a-z0-9]{5}$/);
});

test("each index has its own limit, and the others go on", async () => {
  await using world = await startWorld();
  world.cluster.pods.match({ matchLabels: { "batch.kubernetes.io/job-completion-index": "1" } }).exit(3);
  await world.create({ completions: 3, parallelism: 3, completionMode: "Indexed", backoffLimitPerIndex: 1 });
  await world.pass(30_000);
  const { status } = await world.job();
  assert.deepEqual([status?.completedIndexes, status?.failedIndexes, status?.failed], ["0,2", "1", 2]);
  assert.deepEqual(typesOf(await world.job()), ["FailureTarget=True:FailedIndexes", "Failed=True:FailedIndexes"]);
});

test("a job that is suspended has no pods and counts none as failed, and its deadline begins anew when it is resumed", async () => {
  await using world = await startWorld();
  await world.create({ activeDeadlineSeconds: 60, parallelism: 2, completions: 2 }, ["sleep", "1000"]);
  assert.equal((await world.job()).status?.active, 2);
  const suspend = (value: boolean): Promise<unknown> => world.cluster.client.mergePatch(Job, address, { spec: { suspend: value } });
  await suspend(true);
  await world.pass(120_000);
  const { status } = await world.job();
  assert.deepEqual([status?.active, status?.failed, status?.startTime, (await world.pods()).length], [undefined, undefined, undefined, 0]);
  await suspend(false);
  await world.pass(59_000);
  assert.deepEqual(typesOf(await world.job()), ["Suspended=False:JobResumed"]);
  await world.pass(35_000);
  assert.deepEqual(typesOf(await world.job()).slice(1), ["FailureTarget=True:DeadlineExceeded", "Failed=True:DeadlineExceeded"]);
});

test("a rule for the failure of pods ends the job or lets it pass", async () => {
  await using world = await startWorld();
  const rules = [
    { action: "Ignore", onExitCodes: { operator: "In", values: [7] } },
    { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
  ] as const;
  world.cluster.pods.match({}).exit(7);
  await world.create({ podFailurePolicy: { rules }, backoffLimit: 0 });
  assert.deepEqual([typesOf(await world.job()), (await world.job()).status?.failed], [[], undefined]);
  world.cluster.pods.match({}).exit(42);
  await world.pass(11_000);
  assert.deepEqual(typesOf(await world.job()), ["FailureTarget=True:PodFailurePolicy", "Failed=True:PodFailurePolicy"]);
});

test("a job has succeeded when a rule for success says so, and ends what still runs", async () => {
  await using world = await startWorld();
  world.cluster.pods.match({ matchLabels: { "batch.kubernetes.io/job-completion-index": "0" } }).exit(0);
  const successPolicy = { rules: [{ succeededIndexes: "0" }] };
  await world.create({ completions: 3, parallelism: 3, completionMode: "Indexed", successPolicy }, ["sleep", "1000"]);
  await world.pass(40_000);
  const job = await world.job();
  assert.deepEqual(typesOf(job), ["SuccessCriteriaMet=True:SuccessPolicy", "Complete=True:SuccessPolicy"]);
  assert.deepEqual([job.status?.succeeded, job.status?.failed, job.status?.active], [1, undefined, undefined]);
});

test("pods of a job that is gone are kept no longer", async () => {
  await using world = await startWorld("garbage-collector-controller");
  await world.create({}, ["sleep", "1000"]);
  await world.cluster.client.delete(Job, address, { propagationPolicy: "Background" });
  await world.cluster.settled();
  await world.pass(40_000);
  assert.deepEqual(await world.pods(), []);
});

test("nothing is written for an hour when a job has ended", async () => {
  await using world = await startWorld();
  await world.create({ completions: 2 });
  await world.pass(1000);
  const before = await world.job();
  await world.pass(3_600_000);
  assert.equal((await world.job()).metadata.resourceVersion, before.metadata.resourceVersion);
});

test("a job goes with its pods some time after its end, if it says so", async () => {
  await using world = await startWorld("garbage-collector-controller", "ttl-after-finished-controller");
  await world.create({ ttlSecondsAfterFinished: 60 });
  await world.pass(59_000);
  assert.equal((await world.pods()).length, 1);
  await world.pass(2000);
  assert.deepEqual([await world.pods(), (await world.cluster.client.list(Job)).items], [[], []]);
});
