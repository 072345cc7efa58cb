import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Pod, ResourceQuota, Service } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const quotaAt = { namespace: "default", name: "quota" };
const controllers = ["node-lifecycle-controller", "resourcequota-controller"];

async function start(hard: Readonly<Record<string, string>>): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const cluster = await startCluster({ clock, random: seededRandom(1), controllers });
  await cluster.client.create(ConfigMap, { metadata: { namespace: "default", name: "before" } });
  await cluster.client.create(ResourceQuota, { metadata: quotaAt, spec: { hard } });
  await cluster.settled();
  return { ...cluster, clock };
}

async function createPod({ client }: Cluster, name: string, command: readonly string[] = []): Promise<void> {
  const containers = [{ name: "main", image: "busybox", command, resources: { requests: { cpu: "500m", memory: "1Gi" } } }];
  await client.create(Pod, { metadata: { namespace: "default", name }, spec: { restartPolicy: "Never", containers } });
}

const Foo = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Foo", plural: "foos", scope: "Namespaced" });

async function defineFoo({ client }: Cluster): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object" } } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: "foos.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "foos", kind: "Foo" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}

async function createFoo({ client }: Cluster, name: string): Promise<void> {
  await client.create(Foo, { metadata: { namespace: "default", name } });
}

async function used({ client }: Cluster): Promise<unknown> {
  return (await client.get(ResourceQuota, quotaAt)).status?.used;
}

test("a quota says what is used of it from the first, and less when something goes or ends", async () => {
  await using cluster = await start({ configmaps: "5", "count/deployments.apps": "2", pods: "2", "requests.cpu": "2", services: "2" });
  // Every namespace has the certificate of the cluster, and this one the service of its API server.
  const none = { "count/deployments.apps": "0", pods: "0", "requests.cpu": "0", services: "1" };
  assert.deepEqual(await used(cluster), { ...none, configmaps: "2" });
  await createPod(cluster, "a");
  await createPod(cluster, "b", ["true"]);
  await cluster.client.create(Service, { metadata: { namespace: "default", name: "web" }, spec: { ports: [{ port: 80 }] } });
  await cluster.client.delete(ConfigMap, { namespace: "default", name: "before" });
  await cluster.settled();
  assert.deepEqual(await used(cluster), { ...none, configmaps: "1", pods: "1", "requests.cpu": "500m", services: "2" });
  await cluster.client.delete(Pod, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
  await cluster.settled();
  assert.deepEqual(await used(cluster), { ...none, configmaps: "1", services: "2" });
});

test("a pod that is given less uses less of its quota", async () => {
  await using cluster = await start({ "requests.cpu": "2" });
  await createPod(cluster, "a");
  await cluster.settled();
  const containers = [{ name: "main", resources: { requests: { cpu: "100m" } } }];
  await cluster.client.strategicPatch(Pod, { namespace: "default", name: "a" }, { spec: { containers } }, { subresource: "resize" });
  await cluster.settled();
  assert.deepEqual(await used(cluster), { "requests.cpu": "100m" });
});

test("what was charged and then not created is not counted for long", async () => {
  await using cluster = await start({ pods: "1" });
  await cluster.client.mergePatch(ResourceQuota, quotaAt, { status: { used: { pods: "1" } } }, { subresource: "status" });
  await assert.rejects(createPod(cluster, "a"), ApiError);
  await cluster.clock.advance(300_000);
  await cluster.settled();
  await createPod(cluster, "a");
});

test("at rest nothing is written", async () => {
  await using cluster = await start({ pods: "1", "requests.memory": "1Gi" });
  await createPod(cluster, "a");
  await cluster.settled();
  const version = async (): Promise<unknown> => (await cluster.client.list(ResourceQuota)).items[0]?.metadata.resourceVersion;
  const before = await version();
  await cluster.clock.advance(3_600_000);
  assert.equal(await version(), before);
});

test("[ADM13] objects of any kind that a quota names are counted, and no longer when they are gone", async () => {
  await using cluster = await start({ "count/leases.coordination.k8s.io": "2" });
  await defineFoo(cluster);
  await createFoo(cluster, "before");
  await cluster.client.create(Lease, { metadata: { namespace: "default", name: "mine" } });
  await cluster.client.mergePatch(ResourceQuota, quotaAt, { spec: { hard: { "count/foos.example.com": "2" } } });
  await cluster.settled();
  assert.deepEqual(await used(cluster), { "count/foos.example.com": "1", "count/leases.coordination.k8s.io": "1" });
  await createFoo(cluster, "a");
  await assert.rejects(
    createFoo(cluster, "b"),
    /exceeded quota: quota, requested: count\/foos.example.com=1, used: count\/foos.example.com=2/,
  );
  await cluster.client.delete(Foo, { namespace: "default", name: "a" });
  await cluster.client.delete(Lease, { namespace: "default", name: "mine" });
  await cluster.settled();
  assert.deepEqual(await used(cluster), { "count/foos.example.com": "1", "count/leases.coordination.k8s.io": "0" });
  await createFoo(cluster, "b");
});

test("[ADM13] a kind that is defined after the quota that names it is counted from then on, and again when it is defined anew", async () => {
  await using cluster = await start({ "count/foos.example.com": "1" });
  assert.deepEqual(await used(cluster), { "count/foos.example.com": "0" });
  for (const round of ["first", "second"]) {
    await defineFoo(cluster);
    await cluster.settled();
    await createFoo(cluster, round);
    assert.deepEqual(await used(cluster), { "count/foos.example.com": "1" });
    await cluster.client.delete(CustomResourceDefinition, { name: "foos.example.com" });
    await cluster.settled();
    assert.deepEqual(await used(cluster), { "count/foos.example.com": "0" });
  }
});

test("[FORK2] what is gone in a fork is counted no longer there, whatever its kind", async () => {
  await using base = await start({ "count/foos.example.com": "2", configmaps: "5" });
  await defineFoo(base);
  await base.settled();
  await createFoo(base, "a");
  await base.settled();
  const snapshot = await base.snapshot();
  await using fork = await snapshot.restore({ clock: new ManualClock(snapshot.atMs), random: seededRandom(2) });
  await fork.client.delete(Foo, { namespace: "default", name: "a" });
  await fork.settled();
  assert.deepEqual(await used(fork), { configmaps: "2", "count/foos.example.com": "0" });
  assert.deepEqual(await used(base), { configmaps: "2", "count/foos.example.com": "1" });
});
