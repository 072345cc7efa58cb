import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, formatMicroTime } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import { Node, Pod } from "@kaji/types/core/v1";
import { startControllerRig } from "../testing/controller-rig.ts";

const only = ["node-lifecycle-controller", "taint-eviction-controller"];
const silent = { name: "silent" };

// Both were found by exploring the controller: it failed on a heartbeat that the server shows as null, and left the taints to a reconcile that nothing asked for.
test("a node that is never heard of is unknown after 50 s, and tainted at once, so that its pods are driven off", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: silent });
  const spec = { nodeName: "silent", containers: [{ name: "web", image: "web" }] };
  await rig.client.create(Pod, { metadata: { name: "web", namespace: "default" }, spec });
  await rig.clock.advance(51_000);
  await rig.settle();
  const { spec: { taints = [] } = {}, status } = await rig.client.get(Node, silent);
  assert.equal(status?.conditions?.find(({ type }) => type === "Ready")?.status, "Unknown");
  assert.deepEqual(
    taints.map(({ key, effect }) => `${key}:${effect}`),
    ["node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute"],
  );
  await rig.clock.advance(310_000);
  await rig.settle();
  const [pod] = await rig.all(Pod);
  assert.notEqual(pod?.metadata.deletionTimestamp, undefined);
});

test("[LOOP4] a node whose lease is longer may be silent for longer", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: silent });
  const renewTime = formatMicroTime(rig.clock.now());
  const spec = { holderIdentity: "silent", leaseDurationSeconds: 4000, renewTime };
  await rig.client.create(Lease, { metadata: { name: "silent", namespace: "kube-node-lease" }, spec });
  const ready = async (): Promise<string | undefined> =>
    findCondition((await rig.client.get(Node, silent)).status?.conditions, "Ready")?.status;
  await rig.clock.advance(4_999_000);
  await rig.settle();
  assert.equal(await ready(), undefined);
  await rig.clock.advance(2000);
  await rig.settle();
  assert.equal(await ready(), "Unknown");
});

test("conditions without a time of their heartbeat are as old as the node", async () => {
  await using rig = await startControllerRig({ only, nodes: 0 });
  await rig.client.create(Node, { metadata: silent });
  await rig.client.mergePatch(Node, silent, { status: { conditions: [{ type: "Ready", status: "True" }] } }, { subresource: "status" });
  await rig.clock.advance(40_000);
  await rig.settle();
  const ready = async (): Promise<string | undefined> => (await rig.client.get(Node, silent)).status?.conditions?.[0]?.status;
  assert.equal(await ready(), "True");
  await rig.clock.advance(11_000);
  await rig.settle();
  assert.equal(await ready(), "Unknown");
});
