import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { PriorityClass } from "@kaji/types/scheduling/v1";
import { startRig } from "../testing/scheduler-rig.ts";
import type { SchedulerRig } from "../testing/scheduler-rig.ts";

const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
const inUse = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";

/** Two nodes, and a claim that is bound to its volume. */
async function startWithClaim(mode: "ReadWriteOncePod" | "ReadWriteOnce"): Promise<SchedulerRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startRig());
  for (const name of ["a", "b"]) await rig.addNode(name);
  const accessModes = [mode];
  const source = { accessModes, capacity: { storage: "1Gi" }, hostPath: { path: "/data" } };
  await rig.client.create(PersistentVolume, { metadata: { name: "disk" }, spec: source });
  const annotations = { "pv.kubernetes.io/bind-completed": "yes" };
  await rig.client.create(PersistentVolumeClaim, {
    metadata: { name: "data", namespace: "default", annotations },
    spec: { accessModes, volumeName: "disk", storageClassName: "", resources: { requests: { storage: "1Gi" } } },
  });
  starting.move();
  return rig;
}

test("[SCHED1] a claim for one pod alone is had by one at a time, in the words of a real scheduler", async () => {
  await using rig = await startWithClaim("ReadWriteOncePod");
  await rig.addPod("first", { volumes });
  await rig.settle();
  await rig.addPod("second", { volumes });
  await rig.settle();
  assert.equal(await rig.nodeOf("second"), undefined);
  const useless = "no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.";
  assert.equal(await rig.messageOf("second"), `0/2 nodes are available: 2 ${inUse}. ${useless}`);
  assert.ok(rig.events.includes(`FailedScheduling second: 0/2 nodes are available: 2 ${inUse}. ${useless}`));
  await rig.client.delete(Pod, "default/first", { gracePeriodSeconds: 0 });
  await rig.settle();
  assert.notEqual(await rig.nodeOf("second"), undefined);
});

test("[SCHED1] a more important pod takes it from the one that has it", async () => {
  await using rig = await startWithClaim("ReadWriteOncePod");
  await rig.client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
  await rig.addPod("first", { volumes });
  await rig.settle();
  await rig.addPod("urgent", { volumes, priorityClassName: "high" });
  await rig.settle();
  const first = await rig.nodeOf("first");
  assert.equal((await rig.client.get(Pod, "default/urgent")).status?.nominatedNodeName, first);
  assert.notEqual((await rig.client.get(Pod, "default/first")).metadata.deletionTimestamp, undefined);
  await rig.client.delete(Pod, "default/first", { gracePeriodSeconds: 0 });
  await rig.settle();
  assert.equal(await rig.nodeOf("urgent"), first);
});

test("[SCHED1] other claims are shared", async () => {
  await using rig = await startWithClaim("ReadWriteOnce");
  for (const name of ["first", "second"]) await rig.addPod(name, { volumes });
  await rig.settle();
  for (const name of ["first", "second"]) assert.notEqual(await rig.nodeOf(name), undefined);
});
