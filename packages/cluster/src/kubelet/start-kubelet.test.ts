import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Node, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { Pod as PodObject } from "@kaji/types/core/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { SimulatedRuntime } from "./simulated-runtime.ts";
import type { SimulatedDelays } from "./simulated-runtime.ts";
import { startKubelet } from "./start-kubelet.ts";

interface KubeletRig extends SchedulerRig {
  readonly runtime: SimulatedRuntime;
  pod(name: string): Promise<PodObject>;
}

/** Nodes that take pods, with kubelets and a scheduler. */
async function startNodes(names: readonly string[], delays: SimulatedDelays = {}): Promise<KubeletRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startRig());
  const runtime = new SimulatedRuntime(rig.clock, delays);
  starting.use(await startKubelet({ ...rig, nodes: names.map((name) => ({ name })), runtime }));
  for (const name of names) await rig.client.mergePatch(Node, { name }, { spec: { taints: null } });
  await rig.settle();
  const all = starting.move();
  const pod = (name: string): Promise<PodObject> => rig.client.get(Pod, { namespace: "default", name });
  return { ...rig, runtime, pod, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}

test("nodes register themselves with capacity, addresses, conditions and a lease", async () => {
  await using rig = await startNodes(["one", "two"]);
  const { items } = await rig.client.list(Node);
  assert.deepEqual(
    items.map(({ metadata, spec, status }) => [metadata.name, spec?.podCIDR, status?.addresses?.[0]?.address]),
    [
      ["one", "10.244.0.0/24", "172.18.0.2"],
      ["two", "10.244.1.0/24", "172.18.0.3"],
    ],
  );
  const [node] = items;
  assert.equal(node?.status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
  assert.equal(node?.status?.allocatable?.["cpu"], "8");
  assert.equal(node?.metadata.labels?.["kubernetes.io/hostname"], "one");
  const lease = await rig.client.get(Lease, "kube-node-lease/one");
  assert.equal(lease.spec?.holderIdentity, "one");
  assert.equal(lease.metadata.ownerReferences?.[0]?.uid, node?.metadata.uid);
});

test("what others say that a node has stays, and can be had from the next post of its status", async () => {
  await using rig = await startNodes(["one"]);
  const patch = [{ op: "add", path: "/status/capacity/example.com~1dongle", value: "4" }] as const;
  await rig.client.jsonPatch(Node, { name: "one" }, patch, { subresource: "status" });
  await rig.clock.advance(310_000);
  const { status } = await rig.client.get(Node, { name: "one" });
  assert.equal(status?.capacity?.["example.com/dongle"], "4");
  assert.equal(status.allocatable?.["example.com/dongle"], "4");
  assert.equal(status.allocatable["cpu"], "8");
});

test("[LOOP4] at rest nothing is written but leases every 10 s and the status of nodes every 5 min", async () => {
  await using rig = await startNodes(["one"]);
  await rig.addPod("web");
  await rig.settle();
  const pod = await rig.pod("web");
  const node = await rig.client.get(Node, { name: "one" });
  const lease = await rig.client.get(Lease, "kube-node-lease/one");
  await rig.clock.advance(290_000);
  const writes = Number((await rig.client.list(Pod)).metadata.resourceVersion) - Number(lease.metadata.resourceVersion);
  assert.ok((await rig.client.get(Lease, "kube-node-lease/one")).spec?.renewTime?.startsWith("2026-01-01T00:04:50"));
  assert.equal((await rig.client.get(Node, { name: "one" })).metadata.resourceVersion, node.metadata.resourceVersion);
  assert.ok(writes <= 29 + Number(pod.metadata.resourceVersion) - Number(lease.metadata.resourceVersion), `${writes} writes`);
  await rig.clock.advance(10_000);
  assert.notEqual((await rig.client.get(Node, { name: "one" })).metadata.resourceVersion, node.metadata.resourceVersion);
  assert.equal((await rig.pod("web")).metadata.resourceVersion, pod.metadata.resourceVersion);
});

test("a pod is scheduled, runs, and is gone after it was deleted", async () => {
  await using rig = await startNodes(["one"]);
  await rig.addPod("web");
  await rig.settle();
  const { spec, status } = await rig.pod("web");
  assert.equal(spec?.nodeName, "one");
  assert.equal(status?.phase, "Running");
  assert.equal(status?.podIP, "10.244.0.2");
  assert.equal(status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
  assert.deepEqual(
    rig.events.map((text) => text.split(" ")[0]),
    ["Scheduled", "Pulled", "Created", "Started"],
  );
  await rig.client.delete(Pod, "default/web");
  await rig.settle();
  await assert.rejects(rig.pod("web"), { reason: "NotFound" });
});

test("[POD2] a pod without a node does not begin, though one of its name was replaced while a kubelet wrote of it", async () => {
  await using rig = await startRig({ schedules: false });
  const written = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const transport: Transport = async (request) => {
    const response = await rig.transport(request);
    if (request.method === "PUT" && request.path.includes("/pods/web/status")) {
      written.resolve();
      await answered.promise;
    }
    return response;
  };
  const client = new KubeClient(transport, { ...rig, onWarning: () => {} });
  await using _kubelet = await startKubelet({ ...rig, client, nodes: [{ name: "one" }], runtime: new SimulatedRuntime(rig.clock) });
  await rig.client.mergePatch(Node, { name: "one" }, { spec: { taints: null } });
  await rig.addPod("web", { nodeName: "one" });
  await written.promise;
  await rig.client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  await rig.addPod("web");
  await rig.settle();
  answered.resolve();
  await rig.settle();
  assert.deepEqual((await rig.client.get(Pod, "default/web")).status, { phase: "Pending", qosClass: "BestEffort" });
});

test("a pod that a finalizer keeps is stopped and left alone, until the finalizer goes", async () => {
  await using rig = await startNodes(["one"]);
  await rig.client.create(Pod, {
    metadata: { name: "job", namespace: "default", finalizers: ["example.com/tracking"] },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  });
  await rig.settle();
  await rig.client.delete(Pod, "default/job");
  await rig.settle();
  const kept = await rig.pod("job");
  assert.equal(kept.status?.phase, "Failed");
  assert.equal(kept.metadata.deletionGracePeriodSeconds, 0);
  await rig.clock.advance(60_000);
  assert.equal((await rig.pod("job")).metadata.resourceVersion, kept.metadata.resourceVersion);
  await rig.client.mergePatch(Pod, "default/job", { metadata: { finalizers: null } });
  await rig.settle();
  await assert.rejects(rig.pod("job"), { reason: "NotFound" });
});

test("a container that takes its time to stop has it, but no longer than its grace", async () => {
  await using rig = await startNodes(["one"], { stopMs: 60_000 });
  await rig.addPod("web");
  await rig.settle();
  await rig.client.delete(Pod, "default/web");
  await rig.clock.advance(29_000);
  assert.equal((await rig.pod("web")).status?.phase, "Running");
  await rig.clock.advance(1000);
  await rig.settle();
  await assert.rejects(rig.pod("web"), { reason: "NotFound" });
});

test("a pod that waits for a ConfigMap starts as soon as there is one", async () => {
  await using rig = await startNodes(["one"]);
  await rig.addPod("web", { volumes: [{ name: "config", configMap: { name: "settings" } }] });
  await rig.settle();
  assert.equal((await rig.pod("web")).status?.phase, "Pending");
  await rig.client.create(ConfigMap, { metadata: { name: "other", namespace: "default" } });
  await rig.settle();
  assert.deepEqual(rig.events.slice(1), ['FailedMount web: MountVolume.SetUp failed for volume "config" : configmap "settings" not found']);
  await rig.client.create(ConfigMap, { metadata: { name: "settings", namespace: "default" } });
  await rig.settle();
  assert.equal((await rig.pod("web")).status?.phase, "Running");
});

test("[SCHED2] a volume for one pod goes to one of those on a node at a time, though users placed them", async () => {
  await using rig = await startNodes(["one", "two"]);
  await addExclusiveClaim(rig);
  const volumes = [{ name: "files", persistentVolumeClaim: { claimName: "data" } }];
  await Promise.all(["a", "b"].map((name) => rig.addPod(name, { nodeName: "one", volumes })));
  await rig.addPod("elsewhere", { nodeName: "two", volumes });
  await rig.settle();
  const phases = async (...names: readonly string[]): Promise<unknown> =>
    Promise.all(names.map(async (name) => (await rig.pod(name)).status?.phase));
  assert.deepEqual(await phases("a", "b", "elsewhere"), ["Running", "Pending", "Running"]);
  const why = "volume uses the ReadWriteOncePod access mode and is already in use by another pod";
  assert.ok(rig.events.includes(`FailedMount b: MountVolume.SetUp failed for volume "disk" : ${why}`), rig.events.join("\n"));
  await rig.client.delete(Pod, "default/a");
  await rig.clock.advance(31_000);
  await rig.settle();
  assert.deepEqual(await phases("b"), ["Running"]);
});

test("[SCHED2] a kubelet that starts again knows who has a volume for one pod", async () => {
  await using rig = await startRig();
  const start = (): Promise<AsyncDisposable> =>
    startKubelet({ ...rig, nodes: [{ name: "one" }], runtime: new SimulatedRuntime(rig.clock) });
  const first = await start();
  await addExclusiveClaim(rig);
  for (const name of ["z", "a"]) {
    await rig.addPod(name, { nodeName: "one", volumes: [{ name: "files", persistentVolumeClaim: { claimName: "data" } }] });
    await rig.settle();
  }
  await first[Symbol.asyncDispose]();
  await using _second = await start();
  await rig.settle();
  assert.equal((await rig.client.get(Pod, "default/a")).status?.phase, "Pending");
  assert.equal((await rig.client.get(Pod, "default/z")).status?.phase, "Running");
});

test("a pod that was put on a node by hand, where it does not fit, is rejected", async () => {
  await using rig = await startNodes(["one"]);
  const containers = [
    { name: "main", image: "nginx", ports: [{ containerPort: 80, hostPort: 80 }], resources: { requests: { cpu: "5" } } },
  ];
  await rig.addPod("first", { nodeName: "one", containers });
  await rig.settle();
  assert.equal((await rig.pod("first")).status?.phase, "Running");
  await rig.addPod("second", { nodeName: "one", containers });
  const [{ resources: _resources, ...port } = { name: "main", image: "nginx" }] = containers;
  await rig.addPod("third", { nodeName: "one", containers: [port] });
  await rig.addPod("fourth", { nodeName: "one", nodeSelector: { disk: "ssd" } });
  await rig.settle();
  const endOf = async (name: string): Promise<string> => {
    const { status } = await rig.pod(name);
    return `${status?.phase} ${status?.reason}: ${status?.message}`;
  };
  assert.equal(
    await endOf("second"),
    "Failed OutOfcpu: Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used: 5000, capacity: 8000",
  );
  assert.equal(
    await endOf("third"),
    "Failed NodePorts: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  );
  assert.equal(
    await endOf("fourth"),
    "Failed NodeAffinity: Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  );
});

test("what a test says of pods happens to those that run, without a write to them", async () => {
  await using rig = await startNodes(["one"]);
  await rig.addPod("web", {}, { app: "web" });
  await rig.settle();
  const script = rig.runtime.pods.match("app=web").crashLoop();
  await rig.clock.advance(25_000);
  const [container] = (await rig.pod("web")).status?.containerStatuses ?? [];
  assert.equal(container?.state?.waiting?.reason, "CrashLoopBackOff");
  assert.equal(container?.restartCount, 2);
  script.run();
  await rig.clock.advance(10_000);
  assert.equal((await rig.pod("web")).status?.containerStatuses?.[0]?.ready, true);
});

test("a kubelet that is restarted goes on where the last one was", async () => {
  await using rig = await startRig();
  const options = { ...rig, nodes: [{ name: "one" }], runtime: new SimulatedRuntime(rig.clock) };
  const first = await startKubelet(options);
  await rig.client.mergePatch(Node, { name: "one" }, { spec: { taints: null } });
  await rig.addPod("job", { restartPolicy: "Never", containers: [{ name: "main", image: "busybox", command: ["sleep", "3600"] }] });
  await rig.settle();
  await first[Symbol.asyncDispose]();
  await rig.clock.advance(1_800_000);
  await using _second = await startKubelet({ ...options, runtime: new SimulatedRuntime(rig.clock) });
  await rig.clock.advance(1_799_000);
  assert.equal((await rig.client.get(Pod, "default/job")).status?.phase, "Running");
  await rig.clock.advance(1000);
  await rig.settle();
  const { status } = await rig.client.get(Pod, "default/job");
  assert.equal(status?.phase, "Succeeded");
  assert.equal(status?.containerStatuses?.[0]?.restartCount, 0);
});

test("[LOOP6] a pod that has ended keeps no address from others, however many have ended", async () => {
  await using rig = await startNodes(["one"]);
  for (let last = 2; last <= 254; last++) {
    const { metadata } = await rig.addPod(`ended-${last}`, { nodeName: "gone" });
    const status = { phase: last % 2 === 0 ? "Succeeded" : "Failed", podIP: `10.244.0.${last}` } as const;
    await rig.client.mergePatch(Pod, metadata, { status }, { subresource: "status" });
  }
  await rig.addPod("web");
  await rig.settle();
  const { status } = await rig.pod("web");
  assert.deepEqual([status?.phase, status?.podIP], ["Running", "10.244.0.2"]);
});

/** A claim named data, with a volume for one pod. */
async function addExclusiveClaim({ client }: SchedulerRig): Promise<void> {
  const modes = { accessModes: ["ReadWriteOncePod"] } as const;
  const spec = { ...modes, volumeName: "disk", resources: { requests: { storage: "1Gi" } } };
  const claim = await client.create(PersistentVolumeClaim, { metadata: { name: "data", namespace: "default" }, spec });
  await client.updateStatus(PersistentVolumeClaim, { ...claim, status: modes });
}
