import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, bodyBytes, bytesText, resource } from "@kaji/core";
import type { DynamicObject, OwnerReference } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { CustomResourceSubresources } from "@kaji/types/apiextensions/v1";
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

test("an eviction may be of the version of old, in which fabric8 sends it, and of no other", async () => {
  await using cluster = await start({ minAvailable: 1 });
  const [pod = assert.fail()] = await pods(cluster);
  const { name } = pod.metadata;
  const send = async (version: string): Promise<string> => {
    const body = Buffer.from(JSON.stringify({ apiVersion: `policy/${version}`, kind: "Eviction", metadata: { name } }));
    const path = `/api/v1/namespaces/default/pods/${name}/eviction`;
    const answer = await cluster.transport()({ method: "POST", path, headers: { "content-type": "application/json" }, body });
    return `${answer.status} ${JSON.parse(bytesText(await bodyBytes(answer.body))).message ?? ""}`;
  };
  assert.match(await send("v1beta2"), /^400 .*no kind "Eviction" is registered for version "policy\/v1beta2"/);
  assert.equal(await send("v1beta1"), "201 ");
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

const Gang = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "StatefulSet", plural: "gangs", scope: "Namespaced" });
const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };

/** Three pods of a custom object that wants four; its kind has the name of a built-in one, and is of another group. */
async function startGang(spec: PodDisruptionBudgetSpec, subresources: CustomResourceSubresources): Promise<Cluster> {
  const cluster = await start(spec, 0);
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } as const;
  await cluster.client.create(CustomResourceDefinition, {
    metadata: { name: "gangs.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "gangs", kind: "StatefulSet" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema, subresources }],
    },
  });
  const gang = await cluster.client.create(Gang, { metadata: { namespace: "default", name: "gang" }, spec: { size: 4 } });
  await createPods(cluster, {
    apiVersion: "example.com/v1",
    kind: "StatefulSet",
    name: "gang",
    uid: gang.metadata.uid ?? "",
    controller: true,
  });
  return cluster;
}

async function createPods(cluster: Cluster, owner: OwnerReference): Promise<void> {
  for (const name of ["a", "b", "c"]) {
    const metadata = { namespace: "default", name, labels: matchLabels, ownerReferences: [owner] };
    await cluster.client.create(Pod, { metadata, spec: { containers: [{ name: "main", image: "nginx" }] } });
  }
  await cluster.settled();
}

test("[PDB1] a custom object says by its scale how many pods it wants", async () => {
  for (const [spec, desiredHealthy] of [
    [{ maxUnavailable: 2 }, 2],
    [{ maxUnavailable: "50%" }, 2],
    [{ minAvailable: "75%" }, 3],
  ] as const) {
    await using cluster = await startGang(spec, { scale });
    const { conditions: _conditions, ...status } = (await budget(cluster)).status ?? {};
    const counts = { currentHealthy: 3, desiredHealthy, disruptionsAllowed: 3 - desiredHealthy, expectedPods: 4, observedGeneration: 1 };
    assert.deepEqual(status, counts);
  }
});

test("[PDB1] where a controller does not say how many pods it wants, nothing may go, and the budget says why", async () => {
  const failure = async (cluster: Cluster): Promise<unknown> => {
    const { conditions = [], disruptionsAllowed } = (await budget(cluster)).status ?? {};
    assert.deepEqual([disruptionsAllowed, conditions[0]?.reason], [0, "SyncFailed"]);
    return conditions[0]?.message;
  };
  await using unscaled = await startGang({ maxUnavailable: 1 }, {});
  assert.equal(await failure(unscaled), "gangs.example.com does not implement the scale subresource");

  await using cluster = await start({ maxUnavailable: 1 }, 0);
  await createPods(cluster, { apiVersion: "example.com/v1", kind: "Gang", name: "gang", uid: "1", controller: true });
  assert.equal(await failure(cluster), 'no matches for kind "Gang" in version "example.com/v1"');

  await using orphans = await start({ maxUnavailable: 1 }, 0);
  await createPods(orphans, { apiVersion: "apps/v1", kind: "StatefulSet", name: "gone", uid: "1", controller: true });
  assert.equal(await failure(orphans), 'found no controllers for pod "a"');
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
