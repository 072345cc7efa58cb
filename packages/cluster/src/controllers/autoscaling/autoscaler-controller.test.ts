import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import type { HorizontalPodAutoscalerSpec } from "@kaji/types/autoscaling/v2";
import { Pod } from "@kaji/types/core/v1";
import { autoscalerSpec, halfOfCpu, startStage, web } from "./testing/autoscaler-stage.ts";

const active = "ScalingActive True ValidMetricFound";
const inRange = "ScalingLimited False DesiredWithinRange";

test("[HPA1] pods that use more than they should get more replicas, and when they use less, fewer after five minutes", async () => {
  await using stage = await startStage({ cpu: "100m" });
  assert.equal(await stage.replicas(), 4);
  assert.deepEqual(await stage.conditions(), ["AbleToScale True SucceededRescale", active, inRange]);
  assert.partialDeepStrictEqual((await stage.autoscaler()).status, {
    currentReplicas: 2,
    desiredReplicas: 4,
    lastScaleTime: "2026-01-01T00:00:15Z",
    currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 100, averageValue: "100m" } } }],
  });
  const reason = "cpu resource utilization (percentage of request) above target";
  assert.deepEqual(await stage.events(), [`SuccessfulRescale: New size: 4; reason: ${reason}`]);

  stage.cluster.pods.match("app=web").use({ cpu: "50m" });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 4);
  assert.deepEqual(await stage.conditions(), ["AbleToScale True ReadyForNewScale", active, inRange]);
  stage.cluster.pods.match("app=web").use({ cpu: "10m" });
  await stage.pass(300);
  assert.equal(await stage.replicas(), 4);
  assert.deepEqual(await stage.conditions(), ["AbleToScale True ScaleDownStabilized", active, inRange]);
  await stage.pass(15);
  assert.equal(await stage.replicas(), 1);
  assert.ok((await stage.events()).includes("SuccessfulRescale: New size: 1; reason: All metrics below target"));
});

test("[HPA1] what differs by no more than a tenth is left as it is, or by as much as the autoscaler says", async () => {
  await using stage = await startStage({ cpu: "55m" });
  assert.equal(await stage.replicas(), 2);
  const tolerance = { scaleUp: { tolerance: "0.05" } };
  await stage.cluster.client.mergePatch(HorizontalPodAutoscaler, web, { spec: { behavior: tolerance } });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 3);
});

test("[HPA2] an autoscaler is looked at every 15 seconds, and first when it is so old", async () => {
  await using stage = await startStage({ cpu: "50m" });
  const looked = (await stage.autoscaler()).metadata.resourceVersion;
  stage.cluster.pods.match("app=web").use({ cpu: "100m" });
  await stage.cluster.client.mergePatch(HorizontalPodAutoscaler, web, { metadata: { labels: { changed: "yes" } } });
  await stage.cluster.client.create(HorizontalPodAutoscaler, { metadata: { ...web, name: "new" }, spec: autoscalerSpec() });
  await stage.pass(14);
  const fresh = await stage.cluster.client.get(HorizontalPodAutoscaler, { ...web, name: "new" });
  assert.deepEqual([await stage.replicas(), fresh.status?.conditions ?? []], [2, []]);
  assert.notEqual((await stage.autoscaler()).metadata.resourceVersion, looked);
  await stage.pass(1);
  assert.equal(await stage.replicas(), 4);
});

test("[HPA2] nothing is written about an autoscaler of which nothing has changed", async () => {
  await using stage = await startStage({ cpu: "50m" });
  await stage.pass(15);
  const before = (await stage.autoscaler()).metadata.resourceVersion;
  await stage.pass(600);
  assert.equal((await stage.autoscaler()).metadata.resourceVersion, before);
});

test("[HPA3] of several metrics the one has its way that wants the most; memory, averages and single containers count as well", async () => {
  const containerResource = { container: "main", name: "cpu", target: { type: "Utilization", averageUtilization: 90 } };
  const memory = { name: "memory", target: { type: "AverageValue", averageValue: "20Mi" } };
  const metrics = [halfOfCpu, { type: "ContainerResource", containerResource }, { type: "Resource", resource: memory }];
  await using stage = await startStage({ cpu: "50m", spec: { metrics, maxReplicas: 20 } });
  assert.equal(await stage.replicas(), 4);
  assert.ok((await stage.events()).includes("SuccessfulRescale: New size: 4; reason: memory resource above target"));
  assert.deepEqual((await stage.autoscaler()).status?.currentMetrics, [
    { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 50, averageValue: "50m" } } },
    {
      type: "ContainerResource",
      containerResource: { container: "main", name: "cpu", current: { averageUtilization: 50, averageValue: "50m" } },
    },
    { type: "Resource", resource: { name: "memory", current: { averageValue: "50Mi" } } },
  ]);
});

test("[HPA4] there are no more and no fewer replicas than there may be, and not suddenly more than twice as many", async () => {
  await using stage = await startStage({ cpu: "500m", spec: { maxReplicas: 7 } });
  assert.equal(await stage.replicas(), 4);
  assert.equal((await stage.conditions())[2], "ScalingLimited True ScaleUpLimit");
  await stage.pass(30);
  assert.equal(await stage.replicas(), 7);
  assert.equal((await stage.conditions())[2], "ScalingLimited True TooManyReplicas");
  const patch = (spec: Partial<HorizontalPodAutoscalerSpec>): Promise<unknown> =>
    stage.cluster.client.mergePatch(HorizontalPodAutoscaler, web, { spec });
  await patch({ maxReplicas: 5 });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 5);
  await patch({ minReplicas: 8, maxReplicas: 10 });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 8);
  stage.cluster.pods.match("app=web").use({ cpu: "0" });
  await stage.pass(360);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[2]], [8, "ScalingLimited True TooFewReplicas"]);
  const events = await stage.events();
  assert.ok(events.includes("SuccessfulRescale: New size: 5; reason: Current number of replicas above Spec.MaxReplicas"));
  assert.ok(events.includes("SuccessfulRescale: New size: 8; reason: Current number of replicas below Spec.MinReplicas"));
});

test("[HPA4] what has no replicas is left alone", async () => {
  await using stage = await startStage({ cpu: "100m", replicas: 0 });
  assert.deepEqual(await stage.conditions(), ["AbleToScale True SucceededGetScale", "ScalingActive False ScalingDisabled"]);
  assert.deepEqual([await stage.replicas(), await stage.events()], [0, []]);
});

test("[HPA5] by its behavior an autoscaler takes steps of a size, waits as long as it says, or never goes one way", async () => {
  const scaleUp = { stabilizationWindowSeconds: 30, policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] };
  const scaleDown = { selectPolicy: "Disabled" };
  await using stage = await startStage({ cpu: "50m", spec: { behavior: { scaleUp, scaleDown } } });
  stage.cluster.pods.match("app=web").use({ cpu: "200m" });
  await stage.pass(15);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[0]], [2, "AbleToScale True ScaleUpStabilized"]);
  await stage.pass(15);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[2]], [3, "ScalingLimited True ScaleUpLimit"]);
  await stage.pass(45);
  assert.equal(await stage.replicas(), 3);
  await stage.pass(15);
  assert.equal(await stage.replicas(), 4);
  stage.cluster.pods.match("app=web").use({ cpu: "0" });
  await stage.pass(600);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[2]], [4, "ScalingLimited True ScaleDownLimit"]);
  const faster = { selectPolicy: "Max", stabilizationWindowSeconds: 0, policies: [{ type: "Percent", value: 50, periodSeconds: 60 }] };
  await stage.cluster.client.mergePatch(HorizontalPodAutoscaler, web, { spec: { behavior: { scaleDown: faster } } });
  await stage.pass(15);
  assert.equal(await stage.replicas(), 2);
});

test("[HPA6] pods that have not begun their work, and those of which nothing is known, do not lead to more replicas than are needed in any case", async () => {
  await using stage = await startStage({ replicas: 4 });
  assert.deepEqual(await stage.conditions(), ["AbleToScale True SucceededGetScale", "ScalingActive False FailedGetResourceMetric"]);
  const [first] = (await stage.cluster.client.list(Pod, { namespace: "default" })).items;
  stage.cluster.pods.match(({ metadata }) => metadata.name === first?.metadata.name).use({ cpu: "100m" });
  await stage.pass(15);
  assert.deepEqual([await stage.replicas(), (await stage.conditions())[1]], [4, active], "alone it wants twice as many");
  stage.cluster.pods.match("app=web").use({ cpu: "100m" });
  stage.cluster.pods.match("app=web").neverReady();
  await stage.pass(15);
  assert.equal(await stage.replicas(), 4, "none of them is ready");
  assert.ok((await stage.events()).some((event) => event.endsWith("did not receive metrics for targeted pods (pods might be unready)")));
  stage.cluster.pods.match("app=web").run();
  await stage.pass(15);
  assert.equal(await stage.replicas(), 8);
});

for (const [kind, plural] of [
  ["StatefulSet", "statefulsets"],
  ["ReplicaSet", "replicasets"],
] as const) {
  test(`[HPA7] a ${kind} is scaled, whichever version of its group the autoscaler names`, async () => {
    await using stage = await startStage({ cpu: "50m" });
    const labels = { app: "db" };
    const containers = [{ name: "main", image: "example/db:1", resources: { requests: { cpu: "100m" } } }];
    const { client, pods } = stage.cluster;
    const db = { namespace: "default", name: "db" };
    const spec = { serviceName: "db", selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
    const scaled = resource<DynamicObject>({ group: "apps", version: "v1", kind, plural, scope: "Namespaced" });
    await client.create(scaled, { metadata: db, spec });
    pods.match("app=db").use({ cpu: "150m" });
    const scaleTargetRef = { apiVersion: "apps/v1beta2", kind, name: "db" };
    await client.create(HorizontalPodAutoscaler, { metadata: db, spec: autoscalerSpec({ scaleTargetRef }) });
    await stage.pass(15);
    assert.equal((await client.getScale(scaled, db)).spec?.replicas, 3);
  });
}

test("[HPA7] objects of a custom kind are scaled that say where their replicas and their pods are", async () => {
  await using stage = await startStage({ cpu: "100m" });
  const { client } = stage.cluster;
  await client.delete(HorizontalPodAutoscaler, web);
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size", labelSelectorPath: ".status.pods" };
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await client.create(CustomResourceDefinition, {
    metadata: { name: "farms.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Farm", plural: "farms" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, subresources: { scale } }],
    },
  });
  await stage.cluster.settled();
  const Farm = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Farm", plural: "farms", scope: "Namespaced" });
  await client.create(Farm, { metadata: web, spec: { size: 2 }, status: { size: 4, pods: "app=web" } });
  const scaleTargetRef = { apiVersion: "example.com/v1", kind: "Farm", name: "web" };
  await client.create(HorizontalPodAutoscaler, { metadata: web, spec: autoscalerSpec({ scaleTargetRef }) });
  await stage.pass(15);
  assert.partialDeepStrictEqual(await client.get(Farm, web), { spec: { size: 4 } });
});

test("[HPA9] a fork goes on at the time at which the original would have", async () => {
  await using stage = await startStage({ cpu: "50m" });
  await stage.pass(5);
  stage.cluster.pods.match("app=web").use({ cpu: "100m" });
  const clock = new ManualClock(stage.cluster.clock.now());
  await using fork = await stage.cluster.fork({ clock });
  const replicas = async (): Promise<number | undefined> => (await fork.client.get(Deployment, web)).spec?.replicas;
  await clock.advance(9_000);
  await fork.settled();
  assert.equal(await replicas(), 2);
  await clock.advance(1_000);
  await fork.settled();
  assert.equal(await replicas(), 4);
});
