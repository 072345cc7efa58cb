import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController, watch } from "@kaji/runtime";
import { explore, testCluster } from "@kaji/testing";
import { Node, Pod } from "@kaji/types/core/v1";

const schedulerName = "emptiest";
const fieldSelector = `spec.schedulerName=${schedulerName}`;
const pod = (name: string) => ({
  metadata: { name, namespace: "default" },
  spec: { schedulerName, containers: [{ name: "web", image: "web" }] },
});

/** Puts each of its pods onto a node that has none of them. */
const scheduler = () => {
  // What has been bound, and is not seen to be yet.
  const bound = new Map<string, string>();
  return defineController(Pod, {
    name: schedulerName,
    fieldSelector,
    watches: [Node, watch(Pod, { fieldSelector })],
    selfVerbs: ["create/binding"],
    writesStatus: false,
    async reconcile(waiting, { cache, client }) {
      if (waiting.spec?.nodeName !== undefined) return;
      const others = [...cache.list(Pod)].filter(({ metadata }) => metadata.uid !== waiting.metadata.uid);
      const taken = new Set(others.map(({ metadata: { uid = "" }, spec }) => spec?.nodeName ?? bound.get(uid)));
      const free = cache.list(Node).find(({ metadata }) => !taken.has(metadata.name));
      if (free === undefined) return;
      bound.set(waiting.metadata.uid ?? "", free.metadata.name);
      await client.bind(waiting, free.metadata.name);
    },
  });
};

test("[DEF11] a scheduler binds Pods with the right to create bindings of them, and none of the Pods themselves", async () => {
  await using cluster = await testCluster({ controllers: [scheduler()], nodes: 2 });
  for (const name of ["a", "b", "c"]) await cluster.client.create(Pod, pod(name));
  await cluster.settled();
  const nodes = async () => (await cluster.client.list(Pod)).items.map(({ spec }) => spec?.nodeName ?? "");
  assert.deepEqual((await nodes()).toSorted(), ["", "node-1", "node-2"]);
  const running = (await cluster.client.list(Pod)).items.find(({ status }) => status?.phase === "Running");
  await cluster.client.delete(Pod, running ?? assert.fail());
  await cluster.settled();
  assert.deepEqual((await nodes()).toSorted(), ["node-1", "node-2"]);
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("[DEF11] a Pod is bound once, and none that was made later by its name", async () => {
  await using cluster = await testCluster();
  const { metadata } = await cluster.client.create(Pod, pod("a"));
  const uid = "00000000-0000-0000-0000-000000000000";
  await assert.rejects(cluster.client.bind(metadata, "node-1", { uid }), { reason: "Conflict" });
  assert.equal((await cluster.client.bind(metadata, "node-1", { uid: metadata.uid })).status, "Success");
  assert.equal((await cluster.client.get(Pod, metadata)).spec?.nodeName, "node-1");
  await assert.rejects(cluster.client.bind(metadata, "node-2"), { reason: "Conflict" });
});

const node = (name: string) => ({ metadata: { name } });

test("[WLD6] in an exploration the Pods of another scheduler wait for it, run where it binds them, and its bindings are struck", async () => {
  const exploration = await explore({
    controllers: () => [scheduler()],
    ops: (user) => [
      user.create(Node, node("a")),
      user.create(Pod, pod("one")),
      user.create(Pod, pod("two")),
      user.create(Node, node("b")),
      user.delete(Pod, "default/one"),
    ],
    // Which of several nodes it is depends on when the pod was made.
    mask: [{ resource: Pod, path: "spec.nodeName" }],
    always: {
      "each node has one pod at most": (world) => {
        const used = [...world.list(Pod)].flatMap(({ spec }) => spec?.nodeName ?? []);
        return new Set(used).size === used.length;
      },
    },
    eventually: { "the pod that is left runs": (world) => world.get(Pod, "default/two")?.status?.phase === "Running" },
  });
  assert.deepEqual(
    exploration.findings.map(({ violation }) => violation),
    [],
    exploration.report,
  );
  assert.match(exploration.report, /over 2 writes/);
});
