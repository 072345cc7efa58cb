import assert from "node:assert/strict";
import { test } from "node:test";
import { DaemonSet } from "@kaji/types/apps/v1";
import { Node, Pod, ResourceQuota } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { startControllerRig } from "../testing/controller-rig.ts";
import type { ControllerRig } from "../testing/controller-rig.ts";

async function startDaemon(spec: Partial<PodSpec> = {}): Promise<ControllerRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startControllerRig({ only: ["daemonset-controller"], nodes: 3 }));
  await rig.client.create(DaemonSet, {
    metadata: { name: "agent", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "main", image: "example/agent:1" }], ...spec } },
    },
  });
  await rig.settle();
  starting.move();
  return rig;
}

/** The nodes with a pod that runs. */
async function nodes(rig: ControllerRig): Promise<readonly string[]> {
  const pods = await rig.all(Pod);
  return pods
    .filter(({ status }) => status?.phase === "Running")
    .map(({ spec }) => spec?.nodeName ?? "")
    .toSorted();
}

test("every node has one pod", async () => {
  await using rig = await startDaemon();
  assert.deepEqual(await nodes(rig), ["node-0", "node-1", "node-2"]);
  const { status } = await rig.client.get(DaemonSet, "default/agent");
  assert.equal(status?.numberReady, 3);
  assert.equal(status?.desiredNumberScheduled, 3);
});

test("a pod that has ended and is kept by a finalizer alone is replaced", async () => {
  await using rig = await startDaemon();
  const [pod] = await rig.all(Pod);
  assert.ok(pod);
  await rig.client.mergePatch(Pod, pod.metadata, { metadata: { finalizers: ["example.com/audit"] } });
  await rig.client.delete(Pod, pod.metadata);
  await rig.settle();
  assert.deepEqual(await nodes(rig), ["node-0", "node-1", "node-2"]);
  assert.equal((await rig.all(Pod)).length, 4);
  assert.equal((await rig.client.get(DaemonSet, "default/agent")).status?.numberReady, 3);
});

test("a node that is chosen later gets a pod, and loses it when it no longer is", async () => {
  await using rig = await startDaemon({ nodeSelector: { disk: "ssd" } });
  assert.deepEqual(await nodes(rig), []);
  await rig.client.mergePatch(Node, { name: "node-1" }, { metadata: { labels: { disk: "ssd" } } });
  await rig.settle();
  assert.deepEqual(await nodes(rig), ["node-1"]);
  await rig.client.mergePatch(Node, { name: "node-1" }, { metadata: { labels: { disk: null } } });
  await rig.settle();
  assert.deepEqual(await nodes(rig), []);
});

test("a taint keeps new pods away, and drives those out that are there only if it says so", async () => {
  await using rig = await startDaemon();
  await rig.client.mergePatch(Node, { name: "node-1" }, { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } });
  await rig.settle();
  assert.equal((await nodes(rig)).length, 3);
  assert.equal((await rig.client.get(DaemonSet, "default/agent")).status?.numberMisscheduled, 1);
  await rig.client.mergePatch(Node, { name: "node-1" }, { spec: { taints: [{ key: "a", effect: "NoExecute" }] } });
  await rig.settle();
  assert.deepEqual(await nodes(rig), ["node-0", "node-2"]);
});

test("a node that is cordoned keeps its pod, and gets a new one", async () => {
  await using rig = await startDaemon();
  await rig.client.mergePatch(Node, { name: "node-1" }, { spec: { unschedulable: true } });
  const pod = (await rig.all(Pod)).find(({ spec }) => spec?.nodeName === "node-1");
  await rig.client.delete(Pod, pod?.metadata ?? "");
  await rig.settle();
  assert.deepEqual(await nodes(rig), ["node-0", "node-1", "node-2"]);
});

test("an update replaces one pod at a time, and waits for it to be ready", async () => {
  await using rig = await startDaemon();
  const script = rig.runtime.pods.match("pod-template-generation=2").neverReady();
  const containers = [{ name: "main", image: "example/agent:2" }];
  await rig.client.mergePatch(DaemonSet, "default/agent", { spec: { template: { spec: { containers } } } });
  await rig.settle();
  const updated = async (): Promise<number | undefined> =>
    (await rig.client.get(DaemonSet, "default/agent")).status?.updatedNumberScheduled;
  assert.equal(await updated(), 1);
  script.run();
  await rig.clock.advance(60_000);
  await rig.settle();
  assert.equal(await updated(), 3);
});

test("a pod that fails is replaced", async () => {
  await using rig = await startDaemon();
  const [pod] = await rig.all(Pod);
  await rig.clock.advance(5000);
  const failed = { status: { phase: "Failed" as const } };
  await rig.client.mergePatch(Pod, pod?.metadata ?? "", failed, { subresource: "status" });
  await rig.settle();
  assert.deepEqual(await nodes(rig), ["node-0", "node-1", "node-2"]);
  assert.ok(
    rig.events.some((text) => text.startsWith(`FailedDaemonPod agent: Found failed daemon pod default/${pod?.metadata.name} on node`)),
  );
});

test("[DS1] a set whose pods are refused says for how many nodes it is", async () => {
  await using rig = await startControllerRig({ only: ["daemonset-controller", "resourcequota-controller"], nodes: 3 });
  await rig.client.create(ResourceQuota, { metadata: { name: "few", namespace: "default" }, spec: { hard: { pods: "1" } } });
  await rig.settle();
  await rig.client.create(DaemonSet, {
    metadata: { name: "agent", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "main", image: "example/agent:1" }] } },
    },
  });
  await rig.settle();
  const { status, metadata } = await rig.client.get(DaemonSet, "default/agent");
  assert.equal(status?.observedGeneration, metadata.generation);
  assert.deepEqual([status?.desiredNumberScheduled, status?.numberReady], [3, 1]);
});
