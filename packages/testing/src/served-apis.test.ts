import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason, resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { api, customMetric, externalMetric, watch } from "@kaji/runtime";
import { APIService } from "@kaji/types/apiregistration/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

interface PageCount extends KubeObject {
  readonly pages: number;
}

const PageCount = resource<PageCount>({
  group: "counts.example.com",
  version: "v1",
  kind: "PageCount",
  plural: "pagecounts",
  scope: "Namespaced",
});

/** Those of tests: every namespace has another one. */
const sites = watch(ConfigMap, { labelSelector: "website" });

const pageCounts = api(PageCount, {
  watches: [sites],
  list: ({ cache, namespace }) =>
    cache.list(ConfigMap, { namespace }).map(({ metadata: { name, namespace: place, labels }, data = {} }) => ({
      metadata: { name, ...(place === undefined ? {} : { namespace: place }), ...(labels === undefined ? {} : { labels }) },
      pages: Object.keys(data).length,
    })),
  columns: { Pages: ({ pages }) => pages },
});

const pages = externalMetric("pages", {
  watches: [sites],
  values: ({ cache, namespace }) =>
    cache.list(ConfigMap, { namespace }).map(({ metadata: { name }, data = {} }) => ({
      labels: { website: name },
      value: Object.keys(data).length / 2,
    })),
});

const site = { metadata: { name: "shop", namespace: "default", labels: { website: "", tier: "gold" } }, data: { a: "1", b: "2", c: "3" } };

test("[SRV1] the APIs of an operator are asked through the API server, and see what it has", async () => {
  await using cluster = await testCluster({ apis: [pageCounts, pages] });
  const { client } = cluster;
  assert.deepEqual((await client.list(PageCount)).items, []);
  await client.create(ConfigMap, site);
  await client.create(ConfigMap, { metadata: { name: "blog", namespace: "default", labels: { website: "" } } });
  await cluster.settled();
  const shop = await client.get(PageCount, { namespace: "default", name: "shop" });
  assert.deepEqual(shop, {
    apiVersion: "counts.example.com/v1",
    kind: "PageCount",
    metadata: { name: "shop", namespace: "default", labels: { website: "", tier: "gold" } },
    pages: 3,
  });
  const names = async (query: object): Promise<readonly string[]> =>
    (await client.list(PageCount, query)).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(await names({}), ["blog", "shop"]);
  assert.deepEqual(await names({ labelSelector: "tier=gold" }), ["shop"]);
  assert.deepEqual(await names({ fieldSelector: "metadata.name=blog" }), ["blog"]);
  assert.deepEqual(await names({ namespace: "kube-system" }), []);
  await assert.rejects(client.get(PageCount, { namespace: "default", name: "gone" }), (error) => isReason(error, "NotFound"));

  const path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/pages";
  const metric = await client.api.json({ method: "GET", path, query: { labelSelector: "website=shop" } });
  assert.deepEqual(metric, {
    kind: "ExternalMetricValueList",
    apiVersion: "external.metrics.k8s.io/v1beta1",
    metadata: {},
    items: [{ metricName: "pages", metricLabels: { website: "shop" }, timestamp: "2026-01-01T00:00:00Z", value: "1500m" }],
  });
  const { paths } = await client.api.json<{ paths: object }>({ method: "GET", path: "/openapi/v3" });
  assert.ok("apis/counts.example.com/v1" in paths);
  for (const described of ["/openapi/v3/apis/counts.example.com/v1", "/openapi/v2"])
    assert.match(JSON.stringify(await client.api.json({ method: "GET", path: described })), /"com\.example\.counts\.v1\.PageCount":/);
  await using copy = await cluster.fork();
  assert.equal((await copy.client.list(PageCount)).items.length, 2);
});

test("[SRV1] who may not read a kind is refused it, whoever serves it", async () => {
  await using cluster = await testCluster({ apis: [pageCounts] });
  const guest = { username: "guest", groups: ["system:authenticated"] };
  const { status } = await cluster.transport(guest)({ method: "GET", path: "/apis/counts.example.com/v1/pagecounts", headers: {} });
  assert.equal(status, 403);
  const { spec } = await cluster.client.get(APIService, "v1.counts.example.com");
  assert.equal(spec?.service?.name, "operator-webhook");
});

test("[SRV3] a HorizontalPodAutoscaler scales by the metrics that an operator serves of Pods and of other objects", async () => {
  const load = customMetric("load", Pod, {
    watches: [Pod],
    values: ({ cache, namespace }) => cache.list(Pod, { namespace }).map((object) => ({ object, value: 2 })),
  });
  const backlog = customMetric("backlog", Deployment, {
    watches: [Deployment],
    values: ({ cache, namespace }) => cache.list(Deployment, { namespace }).map((object) => ({ object, value: "30" })),
  });
  await using cluster = await testCluster({ apis: [load, backlog] });
  const { client } = cluster;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const metadata = { name: "web", namespace: "default" };
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  await client.create(Deployment, { metadata, spec: { selector: { matchLabels: labels }, template } });
  const replicasFor = async (metrics: NonNullable<HorizontalPodAutoscaler["spec"]>["metrics"]): Promise<number | undefined> => {
    await client.apply(HorizontalPodAutoscaler, { metadata, spec: { scaleTargetRef, maxReplicas: 8, ...(metrics && { metrics }) } });
    await cluster.advance("16s");
    return (await client.get(Deployment, metadata)).spec?.replicas;
  };
  await cluster.settled();
  const average = { type: "AverageValue", averageValue: "1" } as const;
  const pods = { type: "Pods", pods: { metric: { name: "load" }, target: average } };
  assert.equal(await replicasFor([pods]), 2);
  const target = { type: "Value", value: "10" } as const;
  const object = { type: "Object", object: { metric: { name: "backlog" }, describedObject: scaleTargetRef, target } };
  assert.equal(await replicasFor([object]), 4);
});
