import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { realCluster } from "./real-cluster.ts";

const Shop = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Shop",
  spec: z.object({ image: z.string(), isScaledByOthers: z.boolean().default(false) }),
});
const key = "default/corner";

const shopController = defineController(Shop, {
  owns: [Deployment],
  async reconcile({ metadata: { name }, spec: { image, isScaledByOthers } }, { apply }) {
    const labels = { shop: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: "web", image }] } };
    const stated = isScaledByOthers ? {} : { replicas: 3 };
    const deployment = { metadata: { name }, spec: { ...stated, selector: { matchLabels: labels }, template } };
    await apply(Deployment, deployment, { initially: { spec: { replicas: 3 } } });
  },
});

test("[APP16] what an operator lets go stays as it is on a real API server, too", async () => {
  await using kube = await startKube();
  await using cluster = await realCluster({ kubeconfig: kube.kubeconfig, controllers: [shopController], patience: "5m" });
  const { client } = cluster;
  const scale = async () => {
    await cluster.settled();
    const { spec } = await client.get(Deployment, key);
    return `${spec?.replicas} of ${spec?.template.spec?.containers[0]?.image}`;
  };
  await client.create(Shop, { metadata: { name: "corner", namespace: "default" }, spec: { image: "one" } });
  assert.equal(await scale(), "3 of one");
  await client.mergePatch(Shop, key, { spec: { isScaledByOthers: true } });
  assert.equal(await scale(), "3 of one");
  await client.mergePatch(Deployment, key, { spec: { replicas: 5 } });
  await client.mergePatch(Shop, key, { spec: { image: "two" } });
  assert.equal(await scale(), "5 of two");
  await client.mergePatch(Shop, key, { spec: { isScaledByOthers: false } });
  assert.equal(await scale(), "3 of two");
});
