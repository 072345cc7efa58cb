import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime } from "@kaji/core";
import { Node, Pod } from "@kaji/types/core/v1";
import type { Toleration } from "@kaji/types/core/v1";
import type { ControllerRig } from "../testing/controller-rig.ts";
import { startControllerRig } from "../testing/controller-rig.ts";

const only = ["taint-eviction-controller"];
const taint = { key: "maintenance", effect: "NoExecute" } as const;
const forEver: Toleration = { operator: "Exists" };
const aMinute: Toleration = { ...taint, operator: "Exists", tolerationSeconds: 60 };

/** A pod on the node that is tainted. */
async function createPod({ client }: ControllerRig, name: string, tolerations: readonly Toleration[]): Promise<void> {
  const spec = { nodeName: "tainted", tolerations, containers: [{ name: "main", image: "main" }] };
  await client.create(Pod, { metadata: { name, namespace: "default" }, spec });
}

/** The pods that are to go after so many seconds more. */
async function leavingAfter(rig: ControllerRig, seconds: number): Promise<readonly string[]> {
  await rig.settle();
  await rig.clock.advance(seconds * 1000);
  await rig.settle();
  return (await rig.all(Pod)).filter(({ metadata }) => metadata.deletionTimestamp !== undefined).map(({ metadata }) => metadata.name);
}

test("of several tolerations of a taint the first says for how long", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: { name: "tainted" }, spec: { taints: [taint] } });
  await createPod(rig, "stays", [forEver, aMinute]);
  await createPod(rig, "goes", [aMinute, forEver]);
  assert.deepEqual(await leavingAfter(rig, 59), []);
  assert.deepEqual(await leavingAfter(rig, 2), ["goes"]);
});

test("a pod that comes to a tainted node stays for as long as it tolerates the taint", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  const timeAdded = formatTime(rig.clock.now());
  await rig.client.create(Node, { metadata: { name: "tainted" }, spec: { taints: [{ ...taint, timeAdded }] } });
  await rig.clock.advance(3_600_000);
  await createPod(rig, "late", [aMinute]);
  assert.deepEqual(await leavingAfter(rig, 58), []);
  assert.deepEqual(await leavingAfter(rig, 3), ["late"]);
});

test("a pod that does not tolerate a taint goes at once", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: { name: "tainted" } });
  await createPod(rig, "main", []);
  assert.deepEqual(await leavingAfter(rig, 3600), []);
  await rig.client.mergePatch(Node, "tainted", { spec: { taints: [taint] } });
  assert.deepEqual(await leavingAfter(rig, 0), ["main"]);
});

test("[EVICT1] a pod that is driven off says why, so that its Job can tell that from a failure of its own", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: { name: "tainted" }, spec: { taints: [taint] } });
  await createPod(rig, "main", []);
  await rig.settle();
  const { metadata, status } = await rig.client.get(Pod, "default/main");
  assert.notEqual(metadata.deletionTimestamp, undefined);
  const { reason, message, observedGeneration } = status?.conditions?.find(({ type }) => type === "DisruptionTarget") ?? {};
  assert.equal(`${reason}: ${message}`, "DeletionByTaintManager: Taint manager: deleting due to NoExecute taint");
  assert.equal(observedGeneration, 1);
});
