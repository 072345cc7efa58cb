import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Node, Pod } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const address = { namespace: "default", name: "web" };

async function start(): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const controllers = ["pod-garbage-collector-controller"];
  return { ...(await startCluster({ clock, random: seededRandom(1), controllers, nodes: 0, scheduler: false })), clock };
}

async function createPod(cluster: Cluster, nodeName?: string, finalizers: readonly string[] = []): Promise<void> {
  const containers = [{ name: "main", image: "nginx" }];
  await cluster.client.create(Pod, {
    metadata: { ...address, finalizers },
    spec: { containers, ...(nodeName === undefined ? {} : { nodeName }) },
  });
  await cluster.settled();
}

async function pods({ client }: Cluster): Promise<readonly Pod[]> {
  return (await client.list(Pod, { namespace: "default" })).items;
}

test("a pod whose node has been missing for 40 s goes, and one whose node comes back stays", async () => {
  await using cluster = await start();
  await createPod(cluster, "gone", ["example.com/keep"]);
  await cluster.clock.advance(39_000);
  await cluster.settled();
  assert.equal((await pods(cluster))[0]?.metadata.deletionTimestamp, undefined);
  await cluster.client.create(Node, { metadata: { name: "gone" } });
  await cluster.clock.advance(100_000);
  await cluster.settled();
  assert.equal((await pods(cluster))[0]?.metadata.deletionTimestamp, undefined);
  await cluster.client.delete(Node, { name: "gone" });
  await cluster.settled();
  await cluster.clock.advance(41_000);
  await cluster.settled();
  const [pod] = await pods(cluster);
  assert.equal(pod?.status?.phase, "Failed");
  assert.equal(pod.status.conditions?.find(({ type }) => type === "DisruptionTarget")?.reason, "DeletionByPodGC");
  assert.ok(pod.metadata.deletionTimestamp !== undefined);
});

test("a pod that is put on a node which others were deleted with has as much time as they had", async () => {
  await using cluster = await start();
  await createPod(cluster, "gone");
  await cluster.clock.advance(41_000);
  await cluster.settled();
  assert.deepEqual(await pods(cluster), []);
  await createPod(cluster, "gone");
  await cluster.clock.advance(39_000);
  await cluster.settled();
  assert.equal((await pods(cluster)).length, 1);
  await cluster.clock.advance(2000);
  await cluster.settled();
  assert.deepEqual(await pods(cluster), []);
});

test("a pod that never had a node ends as soon as it is to go", async () => {
  await using cluster = await start();
  await createPod(cluster, undefined, ["example.com/keep"]);
  await cluster.client.delete(Pod, address);
  await cluster.settled();
  assert.equal((await pods(cluster))[0]?.status?.phase, "Failed");
});

test("a pod on a node that is out of service goes at once", async () => {
  await using cluster = await start();
  const taints = [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute" }] as const;
  await cluster.client.create(Node, { metadata: { name: "broken" }, spec: { taints } });
  await createPod(cluster, "broken");
  assert.equal((await pods(cluster)).length, 1);
  await cluster.client.delete(Pod, address);
  await cluster.settled();
  assert.deepEqual(await pods(cluster), []);
});
