import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { Event, PersistentVolume, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec, Volume } from "@kaji/types/core/v1";
import { StorageClass, VolumeAttributesClass } from "@kaji/types/storage/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";
import { startRig } from "../../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "../testing/start-controllers.ts";
import { simulatedProvisioner } from "./storage-classes.ts";

const controllers = [
  "ephemeral-volume-controller",
  "garbage-collector-controller",
  "node-lifecycle-controller",
  "persistentvolume-binder-controller",
  "persistentvolume-protection-controller",
  "persistentvolumeclaim-protection-controller",
  "volumeattributesclass-protection-controller",
];
const address = { namespace: "default", name: "data" };

async function start(): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  return { ...(await startCluster({ clock, random: seededRandom(1), controllers })), clock };
}

async function* bodyAfter(heard: Promise<void>, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await heard;
  yield* body;
}

async function createClaim(cluster: Cluster, spec: PersistentVolumeClaimSpec = {}): Promise<void> {
  const resources = { requests: { storage: "1Gi" } };
  await cluster.client.create(PersistentVolumeClaim, { metadata: address, spec: { accessModes: ["ReadWriteOnce"], resources, ...spec } });
  await cluster.settled();
}

async function createVolume(cluster: Cluster, name: string, storage: string, spec: PersistentVolumeSpec = {}): Promise<void> {
  const hostPath = { path: `/${name}` };
  await cluster.client.create(PersistentVolume, {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage }, hostPath, ...spec },
  });
  await cluster.settled();
}

async function createPod(cluster: Cluster, volume: Omit<Volume, "name"> = { persistentVolumeClaim: { claimName: "data" } }): Promise<void> {
  const containers = [{ name: "main", image: "nginx" }];
  await cluster.client.create(Pod, {
    metadata: { namespace: "default", name: "web" },
    spec: { containers, volumes: [{ name: "data", ...volume }] },
  });
  await cluster.settled();
}

async function phases({ client }: Cluster): Promise<readonly string[]> {
  const [claims, volumes] = [await client.list(PersistentVolumeClaim), await client.list(PersistentVolume)];
  return [...claims.items, ...volumes.items].map(({ kind, status }) => `${kind} ${status?.phase}`);
}

async function claimEvents({ client }: Cluster): Promise<readonly Event[]> {
  return (await client.list(Event, { namespace: "default", fieldSelector: "involvedObject.kind=PersistentVolumeClaim" })).items;
}

async function reasons(cluster: Cluster): Promise<readonly (string | undefined)[]> {
  return (await claimEvents(cluster)).map(({ reason }) => reason);
}

async function messages(cluster: Cluster): Promise<readonly (string | undefined)[]> {
  return (await claimEvents(cluster)).map(({ message }) => message);
}

test("a claim of the standard class gets its volume when its first pod has a node, and both go when the pod has gone", async () => {
  await using cluster = await start();
  await createClaim(cluster);
  assert.deepEqual([await phases(cluster), await reasons(cluster)], [["PersistentVolumeClaim Pending"], ["WaitForFirstConsumer"]]);
  await createPod(cluster);
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound"]);
  const claim = await cluster.client.get(PersistentVolumeClaim, address);
  assert.deepEqual(claim.status, { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } });
  assert.equal(claim.spec?.volumeName, `pvc-${claim.metadata.uid}`);
  await cluster.client.delete(PersistentVolumeClaim, address);
  await cluster.settled();
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound"]);
  await cluster.client.delete(Pod, { namespace: "default", name: "web" });
  await cluster.clock.advance(31_000);
  await cluster.settled();
  assert.deepEqual(await phases(cluster), []);
});

test("[VOL1] a claim stays for a pod that is on a node, though its controller has not heard of that pod yet", async () => {
  await using rig = await startRig({ schedules: false });
  const heard = Promise.withResolvers<void>();
  const transport: Transport = async (request) => {
    const response = await rig.transport(request);
    if (!/\/pods\?.*watch=/.test(request.path)) return response;
    return { ...response, body: bodyAfter(heard.promise, response.body) };
  };
  const client = new KubeClient(transport, { ...rig, onWarning: () => {} });
  const informers = new Informers({ ...rig, source: client.listerWatcher, isInProcess: true });
  const end = new AbortController();
  const mirroring = informers.run(end.signal);
  const controllersOptions = { ...rig, client, informers, only: ["persistentvolumeclaim-protection-controller"] };
  await using running = startControllers(controllersOptions);
  await running.synced;
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;
  await rig.client.create(PersistentVolumeClaim, { metadata: address, spec });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await rig.addPod("web", { nodeName: "one", volumes });
  await rig.client.delete(PersistentVolumeClaim, address);
  await rig.settle();
  assert.ok((await rig.client.get(PersistentVolumeClaim, address)).metadata.deletionTimestamp);
  heard.resolve();
  await rig.client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  await rig.clock.advance(1000);
  await rig.settle();
  await assert.rejects(rig.client.get(PersistentVolumeClaim, address), { reason: "NotFound" });
  end.abort();
  await mirroring;
});

test("a claim that asks for more has a larger volume", async () => {
  await using cluster = await start();
  await createClaim(cluster);
  await createPod(cluster);
  await cluster.client.mergePatch(PersistentVolumeClaim, address, { spec: { resources: { requests: { storage: "3Gi" } } } });
  await cluster.settled();
  const { spec, status } = await cluster.client.get(PersistentVolumeClaim, address);
  assert.deepEqual(status, { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "3Gi" } });
  const volume = await cluster.client.get(PersistentVolume, { name: spec?.volumeName ?? "" });
  assert.deepEqual(volume.spec?.capacity, { storage: "3Gi" });
  assert.ok((await reasons(cluster)).includes("VolumeResizeSuccessful"));
});

test("a volume that somebody else has made stays as large as it is", async () => {
  await using cluster = await start();
  await cluster.client.create(StorageClass, { metadata: { name: "disks" }, provisioner: "example.com/disks", allowVolumeExpansion: true });
  await createVolume(cluster, "one", "2Gi", { storageClassName: "disks" });
  await createClaim(cluster, { storageClassName: "disks" });
  await cluster.client.mergePatch(PersistentVolumeClaim, address, { spec: { resources: { requests: { storage: "3Gi" } } } });
  await cluster.settled();
  const { status } = await cluster.client.get(PersistentVolumeClaim, address);
  assert.deepEqual([status?.phase, status?.capacity], ["Bound", { storage: "2Gi" }]);
});

test("a class may have its volumes made at once, and kept", async () => {
  await using cluster = await start();
  await cluster.client.create(StorageClass, { metadata: { name: "kept" }, provisioner: simulatedProvisioner, reclaimPolicy: "Retain" });
  await createClaim(cluster, { storageClassName: "kept" });
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound"]);
  await cluster.client.delete(PersistentVolumeClaim, address);
  await cluster.settled();
  assert.deepEqual(await phases(cluster), ["PersistentVolume Released"]);
});

test("a claim without a class takes the smallest volume that is large enough, when there is one", async () => {
  await using cluster = await start();
  await createVolume(cluster, "large", "10Gi");
  await createVolume(cluster, "small", "1Mi");
  assert.deepEqual(await phases(cluster), ["PersistentVolume Available", "PersistentVolume Available"]);
  await createClaim(cluster, { storageClassName: "", resources: { requests: { storage: "1Gi" } } });
  assert.equal((await cluster.client.get(PersistentVolumeClaim, address)).spec?.volumeName, "large");
  await cluster.client.delete(PersistentVolume, { name: "large" });
  await cluster.settled();
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound", "PersistentVolume Available"]);
});

test("a claim for which there is nothing waits, says why, and takes what comes", async () => {
  await using cluster = await start();
  await createClaim(cluster, { storageClassName: "" });
  assert.deepEqual(await reasons(cluster), ["FailedBinding"]);
  await createVolume(cluster, "late", "2Gi");
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound"]);
  await cluster.client.create(PersistentVolumeClaim, {
    metadata: { namespace: "default", name: "other" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "nowhere", resources: { requests: { storage: "1Gi" } } },
  });
  await cluster.settled();
  assert.ok((await reasons(cluster)).includes("ProvisioningFailed"));
});

test("a claim whose volume was taken away is lost", async () => {
  await using cluster = await start();
  await createVolume(cluster, "gone", "2Gi");
  await createClaim(cluster, { storageClassName: "" });
  await cluster.client.mergePatch(PersistentVolume, { name: "gone" }, { metadata: { finalizers: null } });
  await cluster.client.delete(PersistentVolume, { name: "gone" });
  await cluster.settled();
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Lost"]);
});

test("a volume that lives as long as its pod is claimed for it, and goes with it; at rest nothing is written", async () => {
  await using cluster = await start();
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } as const;
  await createPod(cluster, { ephemeral: { volumeClaimTemplate: { spec } } });
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Bound", "PersistentVolume Bound"]);
  const version = async (): Promise<unknown> => (await cluster.client.list(PersistentVolume)).items[0]?.metadata.resourceVersion;
  const before = await version();
  await cluster.clock.advance(600_000);
  assert.equal(await version(), before);
  await cluster.client.delete(Pod, { namespace: "default", name: "web" });
  await cluster.clock.advance(31_000);
  await cluster.settled();
  assert.deepEqual(await phases(cluster), []);
});

test("[VOL2] a pod does not take the volume that lived as long as a pod of its name before, but waits for its own", async () => {
  await using cluster = await start();
  const { client } = cluster;
  const resources = { requests: { storage: "1Gi" } };
  const ephemeral = { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources } } } } as const;
  await createPod(cluster, ephemeral);
  await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  await createPod(cluster, ephemeral);
  await cluster.clock.advance(10_000);
  await cluster.settled();
  const { metadata, status } = await client.get(Pod, "default/web");
  const claim = await client.get(PersistentVolumeClaim, "default/web-data");
  assert.deepEqual([status?.phase, claim.metadata.ownerReferences?.[0]?.uid], ["Running", metadata.uid]);
});

test("pods that wait for volumes which no provisioner makes do not delay other pods", async () => {
  await using cluster = await start();
  const { client } = cluster;
  await client.create(StorageClass, {
    metadata: { name: "unserved" },
    provisioner: "example.com/none",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await createClaim(cluster, { storageClassName: "unserved" });
  const containers = [{ name: "main", image: "nginx" }];
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  // More than are bound at once.
  for (let index = 0; index < 40; index++) {
    await client.create(Pod, { metadata: { namespace: "default", name: `waiting-${index}` }, spec: { containers, volumes } });
  }
  await client.create(Pod, { metadata: { namespace: "default", name: "other" }, spec: { containers } });
  await cluster.settled();
  const phase = async (name: string): Promise<string | undefined> => (await client.get(Pod, { namespace: "default", name })).status?.phase;
  assert.deepEqual([await phase("waiting-0"), await phase("other")], ["Pending", "Running"]);
  assert.equal((await client.get(PersistentVolumeClaim, address)).metadata.annotations?.["volume.kubernetes.io/selected-node"], "node-1");

  await cluster.clock.advance(600_000);
  await cluster.settled();
  const conditions = (await client.get(Pod, { namespace: "default", name: "waiting-0" })).status?.conditions ?? [];
  assert.deepEqual(
    conditions.map(({ type, status, reason, message }) => [type, status, reason, message]),
    [["PodScheduled", "False", "SchedulerError", 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded']],
  );
});

test("a claim takes no volume of other attributes than it asks for, and says which it has", async () => {
  await using cluster = await start();
  const { client } = cluster;
  const csi = { driver: "csi.example.com", volumeHandle: "gold" };
  await client.create(PersistentVolume, {
    metadata: { name: "gold" },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, csi, volumeAttributesClassName: "gold" },
  });
  await createClaim(cluster, { storageClassName: "" });
  assert.deepEqual(await phases(cluster), ["PersistentVolumeClaim Pending", "PersistentVolume Available"]);
  await client.delete(PersistentVolumeClaim, address);
  await cluster.settled();
  await createClaim(cluster, { storageClassName: "", volumeName: "gold" });
  assert.ok((await messages(cluster)).includes('Cannot bind to requested volume "gold": volumeAttributesClassName does not match'));
  await client.delete(PersistentVolumeClaim, address);
  await cluster.settled();
  await createClaim(cluster, { storageClassName: "", volumeAttributesClassName: "gold" });
  const { status } = await client.get(PersistentVolumeClaim, address);
  assert.deepEqual([status?.phase, status?.currentVolumeAttributesClassName], ["Bound", "gold"]);
});

test("a volume that is made for a claim has the attributes that it asks for", async () => {
  await using cluster = await start();
  await createClaim(cluster, { volumeAttributesClassName: "gold" });
  await createPod(cluster);
  const [volume] = (await cluster.client.list(PersistentVolume)).items;
  const { status } = await cluster.client.get(PersistentVolumeClaim, address);
  assert.deepEqual([volume?.spec?.volumeAttributesClassName, status?.currentVolumeAttributesClassName], ["gold", "gold"]);
});

test("a class of attributes goes when no volume and no claim has it any more", async () => {
  await using cluster = await start();
  const gold = { name: "gold" };
  await cluster.client.create(VolumeAttributesClass, { metadata: gold, driverName: "example.com", parameters: { iops: "100" } });
  await cluster.client.create(PersistentVolume, {
    metadata: { name: "fast" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "example.com", volumeHandle: "fast" },
      volumeAttributesClassName: "gold",
    },
  });
  await createClaim(cluster, { volumeAttributesClassName: "gold", storageClassName: "none" });
  await cluster.client.delete(VolumeAttributesClass, gold);
  await cluster.settled();
  const isThere = async (): Promise<boolean> => (await cluster.client.list(VolumeAttributesClass)).items.length > 0;
  assert.ok(await isThere(), "the volume and the claim have it");
  await cluster.client.delete(PersistentVolume, { name: "fast" });
  await cluster.settled();
  assert.ok(await isThere(), "the claim has it");
  await cluster.client.delete(PersistentVolumeClaim, address);
  await cluster.settled();
  assert.ok(!(await isThere()));
});
