import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import type { PodDisruptionBudgetSpec } from "@kaji/types/policy/v1";
import { startCluster } from "../../start-cluster.ts";
import type { Cluster } from "../../cluster.ts";

const controllers = ["deployment-controller", "disruption-controller", "node-lifecycle-controller", "replicaset-controller"];
const matchLabels = { app: "web" };

async function start(spec: PodDisruptionBudgetSpec, replicas = 3): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  const cluster = await startCluster({ clock, random: seededRandom(1), controllers });
  const template = { metadata: { labels: matchLabels }, spec: { containers: [{ name: "main", image: "nginx" }] } };
  await cluster.client.create(Deployment, {
    metadata: { namespace: "default", name: "web" },
    spec: { replicas, selector: { matchLabels }, template },
  });
  await cluster.client.create(PodDisruptionBudget, {
    metadata: { namespace: "default", name: "budget" },
    spec: { selector: { matchLabels }, ...spec },
  });
  await cluster.settled();
  return { ...cluster, clock };
}

async function budget({ client }: Cluster): Promise<PodDisruptionBudget> {
  return client.get(PodDisruptionBudget, { namespace: "default", name: "budget" });
}

async function pods({ client }: Cluster): Promise<readonly Pod[]> {
  return (await client.list(Pod, { namespace: "default" })).items;
}

async function evict(cluster: Cluster, pod: Pod | undefined): Promise<unknown> {
  return cluster.client.evict(pod?.metadata ?? { name: "" }).catch((error: unknown) => error);
}

test("a budget says how many pods may go, counting those that their controllers want", async () => {
  await using cluster = await start({ maxUnavailable: "34%" });
  const { conditions, ...status } = (await budget(cluster)).status ?? {};
  assert.deepEqual(status, { currentHealthy: 3, desiredHealthy: 1, disruptionsAllowed: 2, expectedPods: 3, observedGeneration: 1 });
  assert.deepEqual(
    conditions?.map(({ type, status: value, reason }) => [type, value, reason]),
    [["DisruptionAllowed", "True", "SufficientPods"]],
  );
});

test("an eviction that the budget does not allow is refused with its reason", async () => {
  await using cluster = await start({ minAvailable: 2 });
  const [first, second] = await pods(cluster);
  // Nobody looks at the budget in between.
  const outcomes = [await evict(cluster, first), await evict(cluster, second)];
  const [, refused] = outcomes;
  assert.ok(refused instanceof ApiError);
  assert.equal(refused.code, 429);
  assert.equal(refused.status.message, "Cannot evict pod as it would violate the pod's disruption budget.");
  assert.equal(refused.details?.causes?.[0]?.reason, "DisruptionBudget");
  await cluster.settled();
  assert.equal((await budget(cluster)).status?.disruptionsAllowed, 1);
});

test("a pod that does not serve may go where that is always allowed", async () => {
  for (const [unhealthyPodEvictionPolicy, isRefused] of [
    ["AlwaysAllow", false],
    ["IfHealthyBudget", true],
  ] as const) {
    await using cluster = await start({ minAvailable: 3, unhealthyPodEvictionPolicy });
    cluster.pods.match("app=web").neverReady();
    await cluster.settled();
    const [pod] = await pods(cluster);
    assert.equal((await evict(cluster, pod)) instanceof ApiError, isRefused);
  }
});

test("a pod of two budgets cannot be evicted", async () => {
  await using cluster = await start({ minAvailable: 1 });
  await cluster.client.create(PodDisruptionBudget, {
    metadata: { namespace: "default", name: "other" },
    spec: { selector: { matchLabels }, minAvailable: 1 },
  });
  const [pod] = await pods(cluster);
  const refused = await evict(cluster, pod);
  assert.ok(refused instanceof ApiError);
  assert.equal(refused.code, 500);
});

test("where pods have controllers that want no number, nothing may go", async () => {
  await using cluster = await start({ maxUnavailable: 1 }, 0);
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "d", uid: "1", controller: true }];
  const metadata = { namespace: "default", name: "stray", labels: matchLabels, ownerReferences };
  await cluster.client.create(Pod, { metadata, spec: { containers: [{ name: "main", image: "nginx" }] } });
  await cluster.settled();
  const { conditions = [], disruptionsAllowed } = (await budget(cluster)).status ?? {};
  assert.deepEqual(
    [disruptionsAllowed, conditions[0]?.reason, conditions[0]?.message],
    [0, "SyncFailed", "daemonsets.apps does not implement the scale subresource"],
  );
});

test("that a pod is about to go is taken back after two minutes, and at rest nothing is written", async () => {
  await using cluster = await start({ minAvailable: 1 });
  const [pod] = await pods(cluster);
  assert.ok(pod !== undefined);
  const target = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler", lastTransitionTime: "2026-01-01T00:00:00Z" };
  const conditions = [...(pod.status?.conditions ?? []), target];
  await cluster.client.updateStatus(Pod, { ...pod, status: { ...pod.status, conditions } });
  await cluster.clock.advance(121_000);
  await cluster.settled();
  const after = await cluster.client.get(Pod, pod.metadata);
  assert.equal(after.status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status, "False");
  const { resourceVersion } = (await budget(cluster)).metadata;
  await cluster.clock.advance(600_000);
  assert.equal((await budget(cluster)).metadata.resourceVersion, resourceVersion);
});
