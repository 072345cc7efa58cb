import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { defineResource, z } from "@kaji/core/define";
import { OtherClusters, defineController, fromClusters, recheckAfter } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { testCluster } from "./test-cluster.ts";

const Site = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Site",
  spec: z.object({ replicas: z.int32().default(2) }),
  status: z.object({ available: z.int32().default(0), looks: z.int32().default(0) }),
});

/** A Deployment in another cluster for each Site, whose status is brought home. */
const siteController = (clusters: OtherClusters) =>
  defineController(Site, {
    sources: [fromClusters(clusters, { toKeys: ({ key }) => [key] })],
    async reconcile({ metadata: { name, namespace = "" }, spec, status }, { setStatus }) {
      const labels = { site: name };
      const cluster = await clusters.connect("edge", "");
      const deployment = await cluster.apply(Deployment, {
        metadata: { name, namespace, labels },
        spec: {
          replicas: spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
        },
      });
      await setStatus({ available: deployment.status?.availableReplicas ?? 0, looks: (status?.looks ?? 0) + 1 });
      return recheckAfter("10m");
    },
  });

async function siteAndEdge() {
  const edge = await testCluster({ delays: { readyMs: 20_000 } });
  const clusters = new OtherClusters({
    labelSelector: "site",
    connect: async (_name, _kubeconfig, tools) => new KubeClient(edge.transport(), tools),
  });
  const cluster = await testCluster({ controllers: [siteController(clusters)], beside: [edge] });
  await cluster.client.create(Site, { metadata: { name: "web", namespace: "default" }, spec: {} });
  const statusOf = async () => (await cluster.client.get(Site, "default/web")).status;
  const all = new AsyncDisposableStack();
  all.use(edge);
  all.use(cluster);
  return { edge, cluster, statusOf, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test("[BES1] a cluster with another beside it is at rest when both are, and the same time goes by in both", async () => {
  await using fleet = await siteAndEdge();
  const { edge, cluster, statusOf } = fleet;
  await cluster.settled();
  assert.equal((await statusOf())?.available, 0);
  assert.equal((await edge.client.get(Deployment, "default/web")).status?.replicas, 2);
  const [atHome, atEdge] = [cluster.clock.now(), edge.clock.now()];
  await cluster.advance("20s");
  assert.equal((await statusOf())?.available, 2);
  await edge.client.delete(Deployment, "default/web");
  await cluster.advance("30s");
  assert.equal((await statusOf())?.available, 2);
  assert.deepEqual([cluster.clock.now() - atHome, edge.clock.now() - atEdge], [50_000, 50_000]);
  const looks = (await statusOf())?.looks ?? 0;
  await cluster.advance("1h");
  assert.equal((await statusOf())?.looks, looks + 6);
});

test("[BES1] it cannot be forked", async () => {
  await using fleet = await siteAndEdge();
  await assert.rejects(fleet.cluster.fork(), /a cluster with others beside it cannot be forked/);
});
