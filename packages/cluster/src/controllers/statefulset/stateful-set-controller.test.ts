import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ControllerRevision, StatefulSet } from "@kaji/types/apps/v1";
import { Namespace, PersistentVolumeClaim, Pod, ResourceQuota } from "@kaji/types/core/v1";
import type { Cluster } from "../../cluster.ts";
import { nextTurn } from "../../loops/next-turn.ts";
import { startCluster } from "../../start-cluster.ts";
import { startControllerRig } from "../testing/controller-rig.ts";
import type { ControllerRig } from "../testing/controller-rig.ts";

async function startSet(spec: Partial<NonNullable<StatefulSet["spec"]>> = {}): Promise<ControllerRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startControllerRig({ only: ["statefulset-controller", "garbage-collector-controller"] }));
  await rig.client.create(StatefulSet, {
    metadata: { name: "db", namespace: "default" },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image: "example/db:1" }] } },
      ...spec,
    },
  });
  await rig.settle();
  starting.move();
  return rig;
}

/** What there is, as `NAME IMAGE`. */
async function pods(rig: ControllerRig): Promise<readonly string[]> {
  return (await rig.all(Pod)).map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`);
}

async function update(rig: ControllerRig, version: string): Promise<void> {
  const containers = [{ name: "main", image: `example/db:${version}` }];
  const template = { metadata: { labels: { app: "db", version } }, spec: { containers } };
  await rig.client.mergePatch(StatefulSet, "default/db", { spec: { template } });
  await rig.settle();
}

const claims = [
  { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } } },
];

test("each pod waits for the one before it, and says so", async () => {
  await using rig = await startSet({ replicas: 2 });
  assert.deepEqual(await pods(rig), ["db-0 example/db:1", "db-1 example/db:1"]);
  const said = rig.events.filter((text) => /^(SuccessfulCreate|Started)/.test(text)).map((text) => text.split(" ").slice(0, 5).join(" "));
  assert.deepEqual(said, [
    "SuccessfulCreate db: Create Pod db-0",
    "Started db-0: Container started",
    "SuccessfulCreate db: Create Pod db-1",
    "Started db-1: Container started",
  ]);
});

test("[STS3] nothing is written while a set that goes after what it owns waits for a pod", async () => {
  await using rig = await startSet({ replicas: 1 });
  await rig.client.mergePatch(Pod, "default/db-0", { metadata: { finalizers: ["example.com/hold"] } });
  await rig.client.delete(StatefulSet, "default/db", { propagationPolicy: "Foreground" });
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  const revision = await rig.revision();
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  assert.equal(await rig.revision(), revision);
  assert.deepEqual(await rig.all(ControllerRevision), []);
});

test("a pod that is deleted comes back under its name", async () => {
  await using rig = await startSet();
  const { metadata } = await rig.client.get(Pod, "default/db-1");
  await rig.client.delete(Pod, "default/db-1");
  await rig.settle();
  assert.notEqual((await rig.client.get(Pod, "default/db-1")).metadata.uid, metadata.uid);
});

test("an update goes from the highest number down, and stops at a pod that does not become ready", async () => {
  await using rig = await startSet();
  const script = rig.runtime.pods.match("version=2").neverReady();
  await update(rig, "2");
  assert.deepEqual(await pods(rig), ["db-0 example/db:1", "db-1 example/db:1", "db-2 example/db:2"]);
  script.run();
  await rig.clock.advance(60_000);
  await rig.settle();
  assert.deepEqual(await pods(rig), ["db-0 example/db:2", "db-1 example/db:2", "db-2 example/db:2"]);
  const { status } = await rig.client.get(StatefulSet, "default/db");
  assert.equal(status?.currentRevision, status?.updateRevision);
});

test("a set takes the place of one that left its pods, without replacing any of them", async () => {
  await using rig = await startSet({ replicas: 2 });
  const { spec } = await rig.client.get(StatefulSet, "default/db");
  const before = (await rig.all(Pod)).map(({ metadata }) => metadata.uid);
  await rig.client.delete(StatefulSet, "default/db", { propagationPolicy: "Orphan" });
  await rig.settle();
  // The set that comes finds the revision of its template, and hears only later that the one before it has let go of it.
  const [revision] = await rig.all(ControllerRevision);
  assert.ok(revision !== undefined);
  const former = {
    apiVersion: "v1",
    kind: "Namespace",
    name: "default",
    uid: (await rig.client.get(Namespace, "default")).metadata.uid ?? "",
  };
  await rig.client.mergePatch(ControllerRevision, revision.metadata, {
    metadata: { ownerReferences: [{ ...former, controller: true }] },
  });
  await rig.client.create(StatefulSet, { metadata: { name: "db", namespace: "default" }, ...(spec === undefined ? {} : { spec }) });
  await rig.settle();
  assert.deepEqual(
    (await rig.all(Pod)).map(({ metadata }) => metadata.uid),
    before,
  );
  assert.equal((await rig.all(ControllerRevision)).length, 1);
});

test("claims stay when their pods go, unless the set says otherwise", async () => {
  for (const [policy, left] of [
    [{}, ["data-db-0", "data-db-1"]],
    [{ whenScaled: "Delete" as const }, ["data-db-0"]],
  ] as const) {
    await using rig = await startSet({
      replicas: 2,
      podManagementPolicy: "Parallel",
      volumeClaimTemplates: claims,
      persistentVolumeClaimRetentionPolicy: policy,
    });
    await rig.client.mergePatch(StatefulSet, "default/db", { spec: { replicas: 1 } });
    await rig.settle();
    // Nothing here uses the claims, so that nothing protects them.
    for (const { metadata } of await rig.all(PersistentVolumeClaim)) {
      if (metadata.deletionTimestamp !== undefined) {
        await rig.client.mergePatch(PersistentVolumeClaim, metadata, { metadata: { finalizers: null } });
      }
    }
    await rig.settle();
    assert.deepEqual(
      (await rig.all(PersistentVolumeClaim)).map(({ metadata }) => metadata.name),
      left,
    );
  }
});

test("[STS1] a set whose pods are refused says that it has seen its spec, and how many pods it has", async () => {
  await using rig = await startControllerRig({ only: ["statefulset-controller", "resourcequota-controller"] });
  await rig.client.create(ResourceQuota, { metadata: { name: "few", namespace: "default" }, spec: { hard: { pods: "1" } } });
  await rig.settle();
  await rig.client.create(StatefulSet, { metadata: { name: "db", namespace: "default" }, spec: { replicas: 2, ...template } });
  await rig.settle();
  const { status, metadata } = await rig.client.get(StatefulSet, "default/db");
  assert.equal(status?.observedGeneration, metadata.generation);
  assert.equal(status?.readyReplicas, 1);
  assert.ok(rig.events.some((text) => text.startsWith("FailedCreate db: Create Pod db-1 in StatefulSet db failed error: pods")));
});

test("[STS2] a pod waits for a claim that is being deleted to be gone, and then has a new one", async () => {
  await using cluster = await startWithClaims({});
  const before = await claimIds(cluster);
  await cluster.client.delete(PersistentVolumeClaim, "default/data-db-0");
  await cluster.client.delete(Pod, "default/db-0");
  await pass(cluster, 60_000);
  assert.equal((await cluster.client.get(Pod, "default/db-0")).status?.phase, "Running");
  const after = await claimIds(cluster);
  assert.deepEqual([before[0] === after[0], before[1] === after[1]], [false, true]);
});

test("[STS2] a pod that has not begun is given another claim in place of one that somebody deleted", async () => {
  await using cluster = await startWithClaims({});
  await cluster.client.mergePatch(StatefulSet, "default/db", {
    spec: { template: { spec: { nodeSelector: { disk: "ssd" } } } },
  });
  await pass(cluster, 60_000);
  assert.equal((await cluster.client.get(Pod, "default/db-1")).status?.phase, "Pending");
  await cluster.client.delete(PersistentVolumeClaim, "default/data-db-1");
  await pass(cluster, 60_000);
  assert.equal((await claimIds(cluster)).length, 2);
});

test("[STS2] a pod does not have the claim that goes with the one before it", async () => {
  await using rig = await startControllerRig({ only: ["statefulset-controller"] });
  const persistentVolumeClaimRetentionPolicy = { whenScaled: "Delete" } as const;
  const spec = { replicas: 1, ...template, volumeClaimTemplates: claims, persistentVolumeClaimRetentionPolicy };
  await rig.client.create(StatefulSet, { metadata: { name: "db", namespace: "default" }, spec });
  for (const replicas of [0, 1]) {
    await rig.settle();
    await rig.client.mergePatch(StatefulSet, "default/db", { spec: { replicas } });
  }
  await rig.settle();
  assert.deepEqual(await pods(rig), []);
  await rig.client.mergePatch(PersistentVolumeClaim, "default/data-db-0", { metadata: { finalizers: null } });
  await rig.client.delete(PersistentVolumeClaim, "default/data-db-0");
  await rig.clock.advance(60_000);
  await rig.settle();
  assert.deepEqual(await pods(rig), ["db-0 example/db:1"]);
});

const template = {
  selector: { matchLabels: { app: "db" } },
  template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image: "example/db:1" }] } },
};

/** A cluster with a set of two pods that have claims and run. */
async function startWithClaims(spec: Partial<NonNullable<StatefulSet["spec"]>>): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const cluster = { ...(await startCluster({ clock, random: seededRandom(1) })), clock };
  await cluster.client.create(StatefulSet, {
    metadata: { name: "db", namespace: "default" },
    spec: { replicas: 2, ...template, volumeClaimTemplates: claims, ...spec },
  });
  await pass(cluster, 20_000);
  assert.equal((await cluster.client.get(StatefulSet, "default/db")).status?.readyReplicas, 2);
  return cluster;
}

async function pass(cluster: Cluster & { readonly clock: ManualClock }, ms: number): Promise<void> {
  await cluster.settled();
  await cluster.clock.advance(ms);
  await cluster.settled();
}

async function claimIds({ client }: Cluster): Promise<readonly (string | undefined)[]> {
  return (await client.list(PersistentVolumeClaim, { namespace: "default" })).items.map(({ metadata }) => metadata.uid);
}
