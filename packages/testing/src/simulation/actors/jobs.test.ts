import assert from "node:assert/strict";
import { test } from "node:test";
import { isConditionTrue, setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { explore } from "../../exploration/explore.ts";
import { simulate } from "../../simulate.ts";
import { jobs, jobsEnding } from "./jobs.ts";

const Dump = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Dump",
  spec: z.object({}),
  status: z.object({ isDone: z.boolean().default(false) }),
});

const dumping = defineController(Dump, {
  owns: [owned(Job, { applied: false })],
  async reconcile(dump, { cache, client, setStatus }) {
    const { namespace = "", name } = dump.metadata;
    const job = cache.get(Job, { namespace, name });
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "dump", image: "dump" }] } } as const;
    if (job === undefined) await client.create(Job, setControllerReference(dump, { metadata: { namespace, name }, spec: { template } }));
    await setStatus({ isDone: job?.status?.completionTime !== undefined });
  },
});

test("a Job comes to its end, also if what waits for it is killed meanwhile", async () => {
  const { findings } = await explore({
    controllers: [dumping],
    world: [jobs],
    ops: (user) => [
      user.create(Dump, { metadata: { name: "d", namespace: "default" }, spec: {} }),
      user.create(Dump, { metadata: { name: "e", namespace: "default" }, spec: {} }),
    ],
    eventually: {
      "dumps are done": (world) => world.list(Dump).every(({ status }) => status?.isDone === true),
      "jobs say so as the real ones do": (world) =>
        world.list(Job).every(({ status }) => status?.conditions?.map(({ type }) => type).join() === "SuccessCriteriaMet,Complete"),
    },
    runs: 30,
  });
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    [],
  );
});

const held = {
  metadata: { name: "j", namespace: "default" },
  spec: { suspend: true, template: { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } } },
} as const;

test("[WLD1] a Job that is suspended says so and does not end; when it is resumed, it does", async () => {
  await using simulated = await simulate({ controllers: [dumping], world: [jobs] });
  const stateOf = () => {
    const { status } = simulated.world.get(Job, "default/j") ?? {};
    const conditions = status?.conditions?.map(({ type, status: is }) => `${type} ${is}`).join();
    return [conditions, status?.startTime !== undefined, status?.completionTime !== undefined];
  };
  await simulated.client.create(Job, held);
  await simulated.settled();
  assert.deepEqual(stateOf(), ["Suspended True", false, false]);
  await simulated.client.mergePatch(Job, "default/j", { spec: { suspend: false } });
  await simulated.settled();
  assert.deepEqual(stateOf(), ["Suspended False,SuccessCriteriaMet True,Complete True", true, true]);
});

test("[WLD1] a Job says that its pods run before it says that they have succeeded, and so does one that is resumed", async () => {
  const countsOf = (job: Job | undefined): unknown => {
    const { active, ready, startTime, succeeded } = job?.status ?? {};
    return { active, ready, succeeded, isStarted: startTime !== undefined };
  };
  const running: unknown[] = [];
  const world = jobsEnding((job) => {
    running.push(countsOf(job));
    return "Complete";
  });
  await using simulated = await simulate({ controllers: [dumping], world: [world] });
  const spec = { ...held.spec, parallelism: 3, completions: 2 };
  await simulated.client.create(Job, { ...held, spec: { ...spec, suspend: false } });
  await simulated.client.create(Job, { metadata: { name: "k", namespace: "default" }, spec });
  await simulated.settled();
  assert.deepEqual(countsOf(simulated.world.get(Job, "default/k")), {
    active: undefined,
    ready: 0,
    succeeded: undefined,
    isStarted: false,
  });
  await simulated.client.mergePatch(Job, "default/k", { spec: { suspend: false } });
  await simulated.settled();
  const both = { active: 2, ready: 2, succeeded: undefined, isStarted: true };
  assert.deepEqual(running, [both, both]);
  for (const { status } of simulated.world.list(Job))
    assert.deepEqual([status?.active, status?.ready, status?.succeeded], [undefined, 0, 2]);
});

test("[WLD1] a Job that is suspended while it runs does not end before it is resumed", async () => {
  await using simulated = await simulate({ controllers: [dumping], world: [jobs] });
  await simulated.client.create(Job, { ...held, spec: { ...held.spec, suspend: false } });
  await simulated.client.mergePatch(Job, "default/j", { spec: { suspend: true } });
  await simulated.settled();
  await simulated.advance("1h");
  const suspended = simulated.world.get(Job, "default/j")?.status;
  assert.deepEqual([suspended?.conditions?.map(({ type }) => type), suspended?.completionTime], [["Suspended"], undefined]);
  await simulated.client.mergePatch(Job, "default/j", { spec: { suspend: false } });
  await simulated.settled();
  assert.notEqual(simulated.world.get(Job, "default/j")?.status?.completionTime, undefined);
});

/** Tries once more, under another name, when the first Job has failed. */
const retrying = defineController(Dump, {
  owns: [owned(Job, { applied: false })],
  async reconcile(dump, { cache, client, setStatus }) {
    const { namespace = "", name } = dump.metadata;
    const done = [...cache.owned(Job)];
    const hasFailed = done.some(({ status }) => isConditionTrue(status?.conditions, "Failed"));
    const attempt = `${name}-${hasFailed ? 2 : 1}`;
    if (cache.get(Job, { namespace, name: attempt }) === undefined)
      await client.create(
        Job,
        setControllerReference(dump, { metadata: { namespace, name: attempt }, spec: { ...held.spec, suspend: false } }),
      );
    await setStatus({ isDone: done.some(({ status }) => status?.completionTime !== undefined) });
  },
});

const firstFails = jobsEnding(({ metadata }) => (metadata.name.endsWith("-1") ? "Failed" : "Complete"));

test("[WLD2] a Job comes to the end that is said of it, and says of it what a real one says", async () => {
  await using simulated = await simulate({ controllers: [retrying], world: [firstFails] });
  await simulated.client.create(Job, { ...held, metadata: { name: "j-1", namespace: "default" }, spec: { ...held.spec, suspend: false } });
  await simulated.settled();
  const { conditions = [], failed, completionTime } = simulated.world.get(Job, "default/j-1")?.status ?? {};
  const said = conditions.map(({ type, reason }) => `${type} ${reason}`);
  assert.deepEqual([said, failed, completionTime], [["FailureTarget BackoffLimitExceeded", "Failed BackoffLimitExceeded"], 7, undefined]);
});

test("[WLD2] an operator that tries again when a Job has failed is done, whatever else goes wrong", async () => {
  const { findings, report } = await explore({
    controllers: [retrying],
    world: [firstFails],
    retained: [Job],
    ops: (user) => [user.create(Dump, { metadata: { name: "d", namespace: "default" }, spec: {} })],
    eventually: { "dumps are done": (world) => world.list(Dump).every(({ status }) => status?.isDone === true) },
    runs: 40,
  });
  assert.deepEqual(findings, [], report);
});
