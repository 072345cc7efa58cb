import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeClient } from "@kaji/client";
import { findCondition, formatMicroTime, formatTime } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import { Endpoints, Node, Pod, Service } from "@kaji/types/core/v1";
import { startControllerRig } from "../testing/controller-rig.ts";
import type { ControllerRig } from "../testing/controller-rig.ts";
import { startControllers } from "../testing/start-controllers.ts";

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

const ready = { type: "Ready", status: "True" } as const;

/** A pod on that node whose kubelet has said that it serves. */
async function runPod({ client }: ControllerRig, name: string, nodeName: string): Promise<void> {
  const metadata = { name, namespace: "default" };
  const labels = { app: "web" };
  await client.create(Pod, { metadata: { ...metadata, labels }, spec: { nodeName, containers: [{ name: "main", image: "main" }] } });
  const status = { podIP: "10.9.0.7", podIPs: [{ ip: "10.9.0.7" }], phase: "Running", conditions: [ready] } as const;
  await client.mergePatch(Pod, metadata, { status }, { subresource: "status" });
}

/** A node of somebody else, who has said of it that it is ready. */
async function addReadyNode({ client, clock }: ControllerRig, name: string): Promise<void> {
  await client.create(Node, { metadata: { name } });
  await sayReady(client, clock, name);
}

async function sayReady(client: KubeClient, clock: Clock, name: string): Promise<void> {
  const conditions = [{ ...ready, lastHeartbeatTime: formatTime(clock.now()) }];
  await client.mergePatch(Node, { name }, { status: { conditions } }, { subresource: "status" });
}

const addressesOf = async ({ client }: ControllerRig): Promise<readonly string[]> =>
  ((await client.get(Endpoints, "default/web")).subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip));

test("[LOOP7] the pods of a node that falls silent are not ready, and no endpoints, until their kubelet says otherwise", async () => {
  await using rig = await startControllerRig({ only: [...only, "endpoints-controller"], nodes: 0 });
  await addReadyNode(rig, "silent");
  const ports = [{ port: 80, protocol: "TCP" }] as const;
  await rig.client.create(Service, { metadata: { name: "web", namespace: "default" }, spec: { selector: { app: "web" }, ports } });
  await runPod(rig, "web", "silent");
  await rig.settle();
  assert.deepEqual(await addressesOf(rig), ["10.9.0.7"]);
  await rig.clock.advance(51_000);
  await rig.settle();
  const { status } = await rig.client.get(Pod, "default/web");
  const { status: isReady, lastTransitionTime } = findCondition(status?.conditions, "Ready") ?? {};
  assert.deepEqual([isReady, lastTransitionTime], ["False", "2026-01-01T00:00:50Z"]);
  assert.equal(status?.phase, "Running");
  assert.deepEqual(await addressesOf(rig), []);
  assert.deepEqual(rig.events, ["NodeNotReady silent: Node silent status is now: NodeNotReady", "NodeNotReady web: Node is not ready"]);

  await sayReady(rig.client, rig.clock, "silent");
  await rig.client.mergePatch(Pod, "default/web", { status: { conditions: [ready] } }, { subresource: "status" });
  await rig.settle();
  assert.deepEqual(await addressesOf(rig), ["10.9.0.7"]);
  assert.deepEqual((await rig.client.get(Node, silent)).spec?.taints ?? [], []);
});

test("[LOOP7] a controller that starts when a node is silent already marks the pods that were not", async () => {
  await using rig = await startControllerRig({ only: [], nodes: 0 });
  await rig.client.create(Node, { metadata: silent });
  await rig.client.mergePatch(Node, silent, { status: { conditions: [{ ...ready, status: "Unknown" }] } }, { subresource: "status" });
  await runPod(rig, "web", "silent");
  await rig.clock.advance(51_000);
  await using controllers = startControllers({ ...rig, only });
  await controllers.synced;
  await rig.settle();
  assert.equal(findCondition((await rig.client.get(Pod, "default/web")).status?.conditions, "Ready")?.status, "False");
});
