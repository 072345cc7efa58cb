import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap, Pod, ResourceQuota, Service } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const controllers = ["node-lifecycle-controller", "resourcequota-controller"];

async function start(hard: Readonly<Record<string, string>>): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const cluster = await startCluster({ clock, random: seededRandom(1), controllers });
  await cluster.client.create(ConfigMap, { metadata: { namespace: "default", name: "before" } });
  await cluster.client.create(ResourceQuota, { metadata: { namespace: "default", name: "quota" }, spec: { hard } });
  await cluster.settled();
  return { ...cluster, clock };
}

async function createPod({ client }: Cluster, name: string, command: readonly string[] = []): Promise<void> {
  const containers = [{ name: "main", image: "busybox", command, resources: { requests: { cpu: "500m", memory: "1Gi" } } }];
  await client.create(Pod, { metadata: { namespace: "default", name }, spec: { restartPolicy: "Never", containers } });
}

async function used({ client }: Cluster): Promise<unknown> {
  return (await client.get(ResourceQuota, { namespace: "default", name: "quota" })).status?.used;
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

test("what was charged and then not created is not counted for long", async () => {
  await using cluster = await start({ pods: "1" });
  await cluster.client.mergePatch(
    ResourceQuota,
    { namespace: "default", name: "quota" },
    { status: { used: { pods: "1" } } },
    { subresource: "status" },
  );
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
