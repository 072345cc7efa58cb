import assert from "node:assert/strict";
import { test } from "node:test";
import type { MergePatch } from "@kaji/client";
import { defineController } from "@kaji/runtime";
import { DaemonSet, Deployment, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim } from "@kaji/types/core/v1";
import { simulate } from "../../simulate.ts";

const labels = { app: "web" };
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "web", image }] } });

/** The states that a controller of Deployments is shown after a change: those that are updated, are ready and wanted, and whether that is enough. */
async function rollout(change: MergePatch<Deployment>): Promise<readonly string[]> {
  const seen: string[] = [];
  const watching = defineController(Deployment, {
    reconcile({ spec, status }) {
      const available = status?.conditions?.find(({ type }) => type === "Available");
      seen.push(`${status?.updatedReplicas ?? 0}, ${status?.readyReplicas ?? 0} of ${spec?.replicas}: ${available?.status ?? "Unknown"}`);
    },
  });
  await using simulated = await simulate({ controllers: [watching] });
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: template("web:1") };
  await simulated.client.create(Deployment, { metadata: { name: "web", namespace: "default" }, spec });
  await simulated.settled();
  seen.length = 0;
  await simulated.client.mergePatch(Deployment, "default/web", change);
  await simulated.settled();
  return seen;
}

test("a Deployment with another template is available throughout, and rolled out in the end", async () => {
  const states = await rollout({ spec: { template: template("web:2") } });
  assert.deepEqual(states, ["2, 2 of 2: True", "0, 2 of 2: True", "2, 2 of 2: True"]);
});

test("a Deployment with more replicas is available again when they are ready", async () => {
  const states = await rollout({ spec: { replicas: 3 } });
  assert.deepEqual(states, ["2, 2 of 3: True", "2, 2 of 3: False", "3, 3 of 3: True"]);
});

test("a Deployment with fewer replicas stays available", async () => {
  const states = await rollout({ spec: { replicas: 1 } });
  assert.deepEqual(states, ["2, 2 of 1: True", "1, 1 of 1: True"]);
});

/** The states that a controller of StatefulSets is shown after a change: how many are updated of how many, and whether the update is over. */
async function statefulRollout(...changes: readonly MergePatch<StatefulSet>[]): Promise<readonly string[]> {
  const seen: string[] = [];
  const watching = defineController(StatefulSet, {
    reconcile({ metadata, spec, status }) {
      if (status?.observedGeneration !== metadata.generation) return;
      const isOver = status?.currentRevision === status?.updateRevision;
      seen.push(
        `${status?.updatedReplicas ?? 0} of ${spec?.replicas}, ${status?.currentReplicas} as before: ${isOver ? "over" : "under way"}`,
      );
    },
  });
  await using simulated = await simulate({ controllers: [watching] });
  const spec = { replicas: 3, serviceName: "db", selector: { matchLabels: labels }, template: template("db:1") };
  await simulated.client.create(StatefulSet, { metadata: { name: "db", namespace: "default" }, spec });
  await simulated.settled();
  for (const change of changes) {
    seen.length = 0;
    await simulated.client.mergePatch(StatefulSet, "default/db", change);
    await simulated.settled();
  }
  return seen;
}

const partitioned = (partition: number) => ({ updateStrategy: { rollingUpdate: { partition } } });

test("a StatefulSet with another template has all of it in the end, under another revision", async () => {
  const states = await statefulRollout({ spec: { template: template("db:2") } });
  assert.deepEqual(states, ["0 of 3, 3 as before: under way", "3 of 3, 3 as before: over"]);
});

test("a StatefulSet is updated down to its partition, and then further", async () => {
  const update = { spec: { template: template("db:2"), ...partitioned(2) } };
  assert.deepEqual(await statefulRollout(update), ["0 of 3, 3 as before: under way", "1 of 3, 2 as before: under way"]);
  const further = await statefulRollout(update, { spec: partitioned(1) });
  assert.deepEqual(further, ["1 of 3, 2 as before: under way", "2 of 3, 1 as before: under way"]);
  assert.equal((await statefulRollout(update, { spec: partitioned(0) })).at(-1), "3 of 3, 3 as before: over");
});

test("a StatefulSet with a partition and more replicas of the same template is whole", async () => {
  assert.equal((await statefulRollout({ spec: { replicas: 5, ...partitioned(4) } })).at(-1), "5 of 5, 5 as before: over");
});

test("a DaemonSet has a pod on the one node there is, and another when its template changes", async () => {
  const seen: string[] = [];
  const watching = defineController(DaemonSet, {
    reconcile({ metadata, status }) {
      if (status?.observedGeneration !== metadata.generation) return;
      seen.push(`${status?.updatedNumberScheduled ?? 0} updated, ${status?.numberReady} of ${status?.desiredNumberScheduled} ready`);
    },
  });
  await using simulated = await simulate({ controllers: [watching] });
  const spec = { selector: { matchLabels: labels }, template: template("agent:1") };
  await simulated.client.create(DaemonSet, { metadata: { name: "agent", namespace: "default" }, spec });
  await simulated.settled();
  assert.deepEqual(seen.splice(0), ["0 updated, 0 of 1 ready", "1 updated, 1 of 1 ready"]);
  await simulated.client.mergePatch(DaemonSet, "default/agent", { spec: { template: template("agent:2") } });
  await simulated.settled();
  assert.deepEqual(seen, ["0 updated, 1 of 1 ready", "1 updated, 1 of 1 ready"]);
});

test("a claim has what it asks for, and more when it asks for more", async () => {
  await using simulated = await simulate({ controllers: [defineController(PersistentVolumeClaim, { reconcile: () => undefined })] });
  const { client } = simulated;
  const asking = (storage: string) => ({ resources: { requests: { storage } } });
  const metadata = { name: "data", namespace: "default" };
  await client.create(PersistentVolumeClaim, { metadata, spec: { accessModes: ["ReadWriteOnce"], ...asking("1Gi") } });
  await simulated.settled();
  const status = async () => (await client.get(PersistentVolumeClaim, metadata)).status;
  assert.deepEqual(await status(), { phase: "Bound", capacity: { storage: "1Gi" } });
  await client.mergePatch(PersistentVolumeClaim, metadata, { spec: asking("2Gi") });
  await simulated.settled();
  assert.deepEqual(await status(), { phase: "Bound", capacity: { storage: "2Gi" } });
});
