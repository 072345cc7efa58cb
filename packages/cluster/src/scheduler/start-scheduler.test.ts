import assert from "node:assert/strict";
import { test } from "node:test";
import { Namespace, Node, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { Container } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { PriorityClass } from "@kaji/types/scheduling/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { startRig } from "./testing/scheduler-rig.ts";
import type { SchedulerRig } from "./testing/scheduler-rig.ts";

function asking(requests: Readonly<Record<string, string>>): readonly Container[] {
  return [{ name: "main", image: "nginx", resources: { requests } }];
}

test("a pod is bound to a node with room for it, and people are told", async () => {
  await using rig = await startRig();
  await rig.addNode("small", { allocatable: { cpu: "1" } });
  await rig.addNode("large");
  await rig.addPod("web", { containers: asking({ cpu: "2" }) });
  await rig.settle();
  assert.equal(await rig.nodeOf("web"), "large");
  assert.deepEqual(rig.events, ["Scheduled web: Successfully assigned default/web to large"]);
});

test("a pod that fits nowhere says why for each node, and runs when a node comes", async () => {
  await using rig = await startRig();
  await rig.addNode("small", { allocatable: { cpu: "1" } });
  await rig.addNode("tainted", { spec: { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] } });
  await rig.addNode("cordoned", { spec: { unschedulable: true } });
  await rig.addPod("web", { containers: asking({ cpu: "2" }) });
  await rig.settle();
  const why =
    "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. " +
    "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  assert.equal(await rig.messageOf("web"), why);
  assert.deepEqual(rig.events, [`FailedScheduling web: ${why}`]);
  await rig.addNode("large");
  await rig.settle();
  assert.equal(await rig.nodeOf("web"), "large");
});

test("without nodes there is nothing to count", async () => {
  await using rig = await startRig();
  await rig.addPod("web");
  await rig.settle();
  assert.equal(await rig.messageOf("web"), "no nodes available to schedule pods");
});

test("a pod that waits is tried again when another one goes, and nothing is written while it waits", async () => {
  await using rig = await startRig();
  await rig.addNode("only", { allocatable: { cpu: "1" } });
  await rig.addPod("first", { containers: asking({ cpu: "1" }) });
  await rig.settle();
  await rig.addPod("second", { containers: asking({ cpu: "1" }) });
  await rig.settle();
  const waiting = await rig.client.get(Pod, "default/second");
  assert.equal(
    await rig.messageOf("second"),
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  );
  await rig.clock.advance(3_600_000);
  assert.equal((await rig.client.get(Pod, "default/second")).metadata.resourceVersion, waiting.metadata.resourceVersion);
  await rig.client.delete(Pod, "default/first", { gracePeriodSeconds: 0 });
  await rig.settle();
  assert.equal(await rig.nodeOf("second"), "only");
});

test("a pod that waits is tried again when another one is given less", async () => {
  await using rig = await startRig();
  await rig.addNode("only", { allocatable: { cpu: "2" } });
  await rig.addPod("first", { containers: asking({ cpu: "2" }) });
  await rig.addPod("second", { containers: asking({ cpu: "1" }) });
  await rig.settle();
  assert.equal(await rig.nodeOf("second"), undefined);
  const containers = [{ name: "main", resources: { requests: { cpu: "1" } } }];
  await rig.client.strategicPatch(Pod, "default/first", { spec: { containers } }, { subresource: "resize" });
  await rig.settle();
  assert.equal(await rig.nodeOf("second"), "only");
});

test("of many pods alike that wait for room, as many run as there is room for when some comes", async () => {
  await using rig = await startRig();
  await rig.addNode("one", { allocatable: { cpu: "1" } });
  for (let count = 0; count < 20; count++) await rig.addPod(`pod-${count}`, { containers: asking({ cpu: "1" }) }, { app: "web" });
  await rig.settle();
  const placed = async (): Promise<number> =>
    (await rig.client.list(Pod, { namespace: "default" })).items.filter(({ spec }) => spec?.nodeName !== undefined).length;
  assert.equal(await placed(), 1);
  await rig.addNode("two", { allocatable: { cpu: "3" } });
  await rig.settle();
  assert.equal(await placed(), 4);
  assert.match((await rig.messageOf("pod-19")) ?? "", /^0\/2 nodes are available: 2 Insufficient cpu\./);
});

test("pods of another scheduler and pods with scheduling gates are left alone until they change", async () => {
  await using rig = await startRig();
  await rig.addNode("only");
  await rig.addPod("foreign", { schedulerName: "other" });
  await rig.addPod("gated", { schedulingGates: [{ name: "example.com/wait" }] });
  await rig.settle();
  assert.equal(await rig.nodeOf("foreign"), undefined);
  assert.equal(await rig.nodeOf("gated"), undefined);
  await rig.client.mutate(Pod, "default/gated", (pod) => ({
    ...pod,
    spec: { ...pod.spec, containers: pod.spec?.containers ?? [], schedulingGates: [] },
  }));
  await rig.settle();
  assert.equal(await rig.nodeOf("gated"), "only");
});

async function addPriorities(rig: SchedulerRig): Promise<void> {
  await rig.client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
}

test("a more important pod makes the least important ones go, and takes their place", async () => {
  await using rig = await startRig();
  await addPriorities(rig);
  await rig.addNode("one", { allocatable: { cpu: "2" } });
  await rig.addPod("low-a", { containers: asking({ cpu: "1" }) });
  await rig.addPod("low-b", { containers: asking({ cpu: "1" }) });
  await rig.settle();
  const urgent = await rig.addPod("urgent", { priorityClassName: "high", containers: asking({ cpu: "1" }) });
  await rig.settle();
  const pods = await rig.client.list(Pod, { namespace: "default" });
  const victim = pods.items.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  assert.equal(victim?.status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.reason, "PreemptionByScheduler");
  assert.equal((await rig.client.get(Pod, "default/urgent")).status?.nominatedNodeName, "one");
  assert.ok(rig.events.includes(`Preempted ${victim?.metadata.name}: Preempted by pod ${urgent.metadata.uid} on node one`));
  await rig.client.delete(Pod, victim?.metadata ?? "", { gracePeriodSeconds: 0 });
  await rig.settle();
  assert.equal(await rig.nodeOf("urgent"), "one");
  assert.equal((await rig.client.get(Pod, "default/urgent")).status?.nominatedNodeName, undefined);
});

test("of two nodes, room is made where no disruption budget is violated", async () => {
  await using rig = await startRig();
  await addPriorities(rig);
  await rig.addNode("guarded", { allocatable: { cpu: "1" } });
  await rig.addPod("kept", { containers: asking({ cpu: "1" }) }, { app: "kept" });
  await rig.settle();
  await rig.addNode("free", { allocatable: { cpu: "1" } });
  await rig.addPod("loose", { containers: asking({ cpu: "1" }) });
  await rig.client.create(PodDisruptionBudget, {
    metadata: { name: "kept", namespace: "default" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "kept" } } },
  });
  await rig.settle();
  await rig.addPod("urgent", { priorityClassName: "high", containers: asking({ cpu: "1" }) });
  await rig.settle();
  assert.equal((await rig.client.get(Pod, "default/urgent")).status?.nominatedNodeName, "free");
});

test("a claim that waits for its pod is told the node, and the pod is bound when the claim is", async () => {
  await using rig = await startRig();
  await rig.addNode("only");
  await rig.client.create(StorageClass, {
    metadata: { name: "late" },
    provisioner: "example.com/disk",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await rig.addPod("db", { volumes });
  await rig.settle();
  assert.match((await rig.messageOf("db")) ?? "", /^0\/1 nodes are available: persistentvolumeclaim "data" not found\. not found$/);
  const claim = await rig.client.create(PersistentVolumeClaim, {
    metadata: { name: "data", namespace: "default" },
    spec: { storageClassName: "late", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  await rig.settle();
  assert.equal(await rig.nodeOf("db"), undefined);
  const selected = await rig.client.get(PersistentVolumeClaim, claim.metadata);
  assert.equal(selected.metadata.annotations?.["volume.kubernetes.io/selected-node"], "only");
  await rig.client.mutate(PersistentVolumeClaim, claim.metadata, (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, "pv.kubernetes.io/bind-completed": "yes" } },
    spec: { ...live.spec, volumeName: "disk-1" },
  }));
  await rig.settle();
  assert.equal(await rig.nodeOf("db"), "only");
});

test("a namespace's labels count for affinity as soon as they change", async () => {
  await using rig = await startRig();
  await rig.addNode("only");
  await rig.client.create(Namespace, { metadata: { name: "team" } });
  await rig.client.create(Pod, {
    metadata: { name: "cache", namespace: "team", labels: { app: "cache" } },
    spec: { containers: [{ name: "main", image: "redis" }] },
  });
  const term = {
    topologyKey: "kubernetes.io/hostname",
    labelSelector: { matchLabels: { app: "cache" } },
    namespaceSelector: { matchLabels: { a: "b" } },
  };
  await rig.addPod("web", { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
  await rig.settle();
  assert.match((await rig.messageOf("web")) ?? "", /1 node\(s\) didn't match pod affinity rules\./);
  await rig.client.mergePatch(Namespace, { name: "team" }, { metadata: { labels: { a: "b" } } });
  await rig.settle();
  assert.equal(await rig.nodeOf("web"), "only");
});

test("a node that is changed takes pods that it did not take before", async () => {
  await using rig = await startRig();
  await rig.addNode("only");
  await rig.addPod("web", { nodeSelector: { disk: "ssd" } });
  await rig.settle();
  assert.match((await rig.messageOf("web")) ?? "", /1 node\(s\) didn't match Pod's node affinity\/selector\./);
  await rig.client.mergePatch(Node, { name: "only" }, { metadata: { labels: { disk: "ssd" } } });
  await rig.settle();
  assert.equal(await rig.nodeOf("web"), "only");
});
