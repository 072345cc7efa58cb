import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";

const Shop = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Shop",
  spec: z.object({ replicas: z.int32().default(3), maxReplicas: z.int32().optional() }),
  status: z.object({ conditions: k.conditions() }),
});
const key = "default/corner";
const shop = { metadata: { name: "corner", namespace: "default" }, spec: {} };

/** A Deployment, whose replicas an autoscaler sets where there is to be one. */
const shopController = defineController(Shop, {
  owns: [Deployment, HorizontalPodAutoscaler],
  async reconcile({ metadata: { name }, spec }, { apply }) {
    const { replicas, maxReplicas } = spec;
    const labels = { shop: name };
    const containers = [{ name: "web", image: "web", resources: { requests: { cpu: "100m" } } }];
    const template = { metadata: { labels }, spec: { containers } };
    const stated = maxReplicas === undefined ? { replicas } : {};
    const deployment = { metadata: { name }, spec: { ...stated, selector: { matchLabels: labels }, template } };
    await apply(Deployment, deployment, { initially: { spec: { replicas } } });
    if (maxReplicas === undefined) return;
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
    const target = { type: "Utilization", averageUtilization: 50 } as const;
    const metrics = [{ type: "Resource", resource: { name: "cpu", target } }] as const;
    await apply(HorizontalPodAutoscaler, { metadata: { name }, spec: { scaleTargetRef, minReplicas: 2, maxReplicas, metrics } });
  },
});

test("[APP16] an operator and an autoscaler do not fight over replicas, nor are there fewer while the one follows on the other", async () => {
  await using cluster = await testCluster({ controllers: [shopController] });
  const replicas = async () => (await cluster.client.get(Deployment, key)).spec?.replicas;
  const load = (cpu: string) => cluster.pods.match("shop=corner").use({ cpu });
  load("50m");
  await cluster.client.create(Shop, shop);
  await cluster.settled();
  await cluster.client.mergePatch(Shop, key, { spec: { maxReplicas: 6 } });
  await cluster.settled();
  assert.equal(await replicas(), 3);
  load("100m");
  await cluster.advance("2m");
  assert.equal(await replicas(), 6);
  await cluster.client.mergePatch(Shop, key, { spec: { maxReplicas: null } });
  await cluster.settled();
  assert.equal(await replicas(), 3);
});

test("[APP16] whatever goes wrong on the way, what is left to others is as it was", async () => {
  await explore({
    controllers: [shopController],
    ops: (user) => [
      user.create(Shop, shop),
      user.mergePatch(Shop, key, { spec: { maxReplicas: 6 } }),
      user.mergePatch(Shop, key, { spec: { maxReplicas: null } }),
      user.mergePatch(Shop, key, { spec: { maxReplicas: 5 } }),
      user.delete(Shop, key),
    ],
    always: {
      "there are three replicas": (world) => [...world.list(Deployment)].every(({ spec }) => spec?.replicas === 3),
    },
    faults: { exclude: ["ChangeChild"] },
    runs: 400,
  }).expectNoViolations();
});

test("[APP16] what the operator applies is still put right when others change it", async () => {
  await explore({
    controllers: [shopController],
    ops: (user) => [user.create(Shop, shop), user.mergePatch(Shop, key, { spec: { maxReplicas: 6 } })],
    faults: { only: ["ChangeChild"] },
    runs: 100,
  }).expectNoViolations();
});
