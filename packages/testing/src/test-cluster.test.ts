import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, isConditionTrue } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { convert, defineController, defineOperator, webhook } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap, Namespace, Node, Secret } from "@kaji/types/core/v1";
import { FailedReconcilesError } from "./reconcile-failures.ts";
import { realCluster } from "./real-cluster.ts";
import { testCluster } from "./test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

/** Counts how often it has looked at a ConfigMap of a name. */
const stamping: Controller = defineController(ConfigMap, {
  name: "stamping",
  selfVerbs: ["patch"],
  async reconcile({ metadata, data }, { client }) {
    if (metadata.name.startsWith("mark") && data?.["seen"] === undefined)
      await client.mergePatch(ConfigMap, metadata, { data: { seen: "yes" } });
  },
});

test("every test has a cluster of its own, in which nothing has happened yet", async () => {
  for (const seed of [1, 2]) {
    await using cluster = await testCluster({ controllers: [stamping], seed });
    const names = (await cluster.client.list(ConfigMap, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ["kube-root-ca.crt"]);
    await cluster.client.create(ConfigMap, { metadata: { namespace: "default", name: "mark" } });
    await cluster.settled();
    assert.deepEqual((await cluster.client.get(ConfigMap, { namespace: "default", name: "mark" })).data, { seen: "yes" });
  }
});

test("[PACE1] where nothing happens time goes by fast: in a month nodes are heard of some hundred times, and stay alive", async () => {
  await using cluster = await testCluster();
  const revision = () => cluster.server.registry.storage.currentRevision;
  const before = revision();
  await cluster.advance("720h");
  assert.ok(revision() - before < 500, `${revision() - before} writes`);
  const [node] = (await cluster.client.list(Node)).items;
  assert.ok(isConditionTrue(node?.status?.conditions, "Ready"));
  assert.equal(node?.spec?.taints, undefined);
});

test("[PACE1] a node of the test's own that says nothing is given up after 50 s, as ever", async () => {
  await using cluster = await testCluster();
  await cluster.client.create(Node, { metadata: { name: "mute" } });
  await cluster.advance("51s");
  const { status } = await cluster.client.get(Node, { name: "mute" });
  assert.equal(findCondition(status?.conditions, "Ready")?.status, "Unknown");
});

test("[PRT1] two controllers of one name are refused, as by whatever runs an operator", async () => {
  const controllers = [stamping, defineController(Secret, { name: "stamping", reconcile() {} })];
  const refusal = new TypeError("operator operator has two controllers named stamping; give one of them another name");
  await assert.rejects(testCluster({ controllers }), refusal);
  await assert.rejects(realCluster({ controllers, kubeconfig: "unread" }), refusal);
});

test("a fork has the state and the operator of its origin, and a time of its own", async () => {
  await using origin = await testCluster({ controllers: [stamping] });
  await origin.client.create(ConfigMap, { metadata: { namespace: "default", name: "mark-0" } });
  await origin.advance("1m");
  await using first = await origin.fork();
  await using second = await origin.fork();
  await first.advance("1h");
  const uids: (string | undefined)[] = [];
  for (const cluster of [origin, first, second]) {
    await cluster.client.create(ConfigMap, { metadata: { namespace: "default", name: "mark-1" } });
    await cluster.settled();
    const { items } = await cluster.client.list(ConfigMap, { namespace: "default" });
    assert.deepEqual(
      items.map(({ metadata, data }) => `${metadata.name} ${data?.["seen"]}`),
      ["kube-root-ca.crt undefined", "mark-0 yes", "mark-1 yes"],
    );
    uids.push(items.at(-1)?.metadata.uid);
  }
  assert.equal(new Set(uids).size, 3);
  assert.equal(first.clock.now() - second.clock.now(), 3_600_000);
});

const bare = { builtins: [], nodes: 0, scheduler: false };
const mark = { metadata: { namespace: "default", name: "mark" } };

/** Fails until it is told otherwise. */
function failing(): { readonly controller: Controller; readonly mend: () => void } {
  let isBroken = true;
  const controller = defineController(ConfigMap, {
    name: "failing",
    reconcile({ metadata }) {
      if (isBroken && metadata.name === "mark") throw new Error("out of paint", { cause: new Error("the shop is shut") });
    },
  });
  return { controller, mend: () => void (isBroken = false) };
}

test("a reconcile that failed, and that nobody looked at, fails the test at the end of its cluster", async () => {
  const cluster = await testCluster({ ...bare, controllers: [failing().controller] });
  await cluster.client.create(ConfigMap, mark);
  await cluster.settled();
  await assert.rejects(
    async () => cluster[Symbol.asyncDispose](),
    (error: unknown) => {
      assert.ok(error instanceof FailedReconcilesError);
      assert.match(
        error.message,
        /the last reconcile of an object failed, .* cluster\.errors:\n {2}failing default\/mark: out of paint: the shop is shut\n {4}at Object\.reconcile \(file:.*test-cluster\.test\.ts:\d+:\d+\)$/,
      );
      return true;
    },
  );
});

test("a write that was refused is told with the line that made it", async () => {
  const controller = defineController(ConfigMap, {
    name: "refused",
    owns: [Secret],
    async reconcile({ metadata }, { apply }) {
      if (metadata.name === "mark") await apply(Secret, { metadata: { name: "not a name" } });
    },
  });
  const cluster = await testCluster({ ...bare, controllers: [controller] });
  await cluster.client.create(ConfigMap, mark);
  await cluster.settled();
  await assert.rejects(
    async () => cluster[Symbol.asyncDispose](),
    /Secret "not a name" is invalid: .*\n {4}at async (Object\.)?reconcile \(file:.*test-cluster\.test\.ts:\d+:\d+\)$/,
  );
});

test("a failure is no longer one when the test has looked, a later reconcile succeeded, or the object is gone", async () => {
  const looked = async (cluster: TestCluster): Promise<void> => assert.match(cluster.errors.join(), /out of paint: the shop is shut/);
  const gone = async ({ client }: TestCluster): Promise<void> => void (await client.delete(ConfigMap, mark.metadata));
  for (const makeGood of [looked, gone, "mend" as const]) {
    const { controller, mend } = failing();
    await using cluster = await testCluster({ ...bare, controllers: [controller] });
    await cluster.client.create(ConfigMap, mark);
    await cluster.settled();
    if (makeGood === "mend") mend();
    else await makeGood(cluster);
    await cluster.advance("1h");
    if (makeGood === looked) await looked(cluster);
  }
});

test("[RUN29] what is in a namespace that somebody deletes is made again with it, and no reconcile has failed", async () => {
  const Stage = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Stage", scope: "Cluster", spec: z.object({}) });
  const staging = defineController(Stage, {
    owns: [Namespace, ConfigMap],
    async reconcile({ metadata: { name } }, { apply }) {
      await apply(Namespace, { metadata: { name } });
      await apply(ConfigMap, { metadata: { namespace: name, name: "settings" }, data: { stage: name } });
    },
  });
  await using cluster = await testCluster({ controllers: [staging] });
  await cluster.client.create(Stage, { metadata: { name: "blue" }, spec: {} });
  await cluster.settled();
  const before = await cluster.client.get(Namespace, "blue");
  await cluster.client.delete(Namespace, "blue");
  await cluster.settled();
  assert.notEqual((await cluster.client.get(Namespace, "blue")).metadata.uid, before.metadata.uid);
  assert.equal((await cluster.client.get(ConfigMap, "blue/settings")).data?.["stage"], "blue");
  assert.deepEqual(cluster.errors, []);
});

test("objects come from one version to another by the operator's conversions, on their way to its webhooks too", async () => {
  const Alarm = defineResource({
    group: "shop.example.com",
    version: "v1",
    kind: "Alarm",
    spec: z.object({ at: z.string() }),
    versions: { v2: { spec: z.object({ hour: z.string(), minute: z.string() }) } },
  });
  const conversion = convert(Alarm, {
    v2: ({ map }) => [
      map(["spec.hour", "spec.minute"], "spec.at", {
        toHub: ([hour, minute]) => `${hour}:${minute}`,
        fromHub(at) {
          const [hour = "", minute = ""] = at.split(":");
          return [hour, minute];
        },
      }),
    ],
  });
  const judged: string[] = [];
  const judge = webhook(Alarm, { validate: ({ spec }) => void judged.push(spec.at) });
  const operator = defineOperator({
    name: "alarms",
    controllers: [defineController(Alarm, { reconcile: () => undefined })],
    webhooks: [judge],
    conversions: [conversion],
  });
  await using cluster = await testCluster(operator);
  const { v2 } = Alarm.versions;
  await cluster.client.create(v2, { metadata: { namespace: "default", name: "morning" }, spec: { hour: "7", minute: "30" } });
  assert.equal((await cluster.client.get(Alarm, "default/morning")).spec.at, "7:30");
  await cluster.client.mergePatch(Alarm, "default/morning", { spec: { at: "8:15" } });
  await using fork = await cluster.fork();
  assert.deepEqual((await fork.client.get(v2, "default/morning")).spec, { hour: "8", minute: "15" });
  assert.deepEqual(judged, ["7:30", "8:15"]);
});

test("time begins where a test says, and a time without a zone is none", async () => {
  await using cluster = await testCluster({ startsAt: "2027-03-28T02:30:00+02:00" });
  assert.equal(new Date(cluster.clock.now()).toISOString(), "2027-03-28T00:30:00.000Z");
  const { metadata } = await cluster.client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  assert.equal(metadata.creationTimestamp, "2027-03-28T00:30:00Z");
  await using usual = await testCluster();
  assert.equal(new Date(usual.clock.now()).toISOString(), "2026-01-01T00:00:00.000Z");
  for (const startsAt of ["2027-03-28T02:30:00", "tomorrow"]) await assert.rejects(testCluster({ startsAt }), /startsAt: .* is no time/);
});

test("what a webhook warns of is there to be looked at", async () => {
  const dry = webhook(ConfigMap, { validate: ({ data }, { warn }) => (data === undefined ? warn("data: is not there") : undefined) });
  await using cluster = await testCluster({ webhooks: [dry] });
  const of = (name: string): { metadata: { name: string; namespace: string } } => ({ metadata: { name, namespace: "default" } });
  await cluster.client.create(ConfigMap, { ...of("full"), data: { a: "b" } });
  assert.deepEqual(cluster.warnings, []);
  await cluster.client.create(ConfigMap, of("empty"));
  assert.deepEqual(cluster.warnings, ["data: is not there"]);
  await using fork = await cluster.fork();
  assert.deepEqual(fork.warnings, []);
});
