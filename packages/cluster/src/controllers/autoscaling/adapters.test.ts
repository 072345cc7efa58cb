import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyFromBytes } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { APIService } from "@kaji/types/apiregistration/v1";
import type { MetricSpec } from "@kaji/types/autoscaling/v2";
import { Pod, Service } from "@kaji/types/core/v1";
import { startStage } from "./testing/autoscaler-stage.ts";
import type { AutoscalerStage } from "./testing/autoscaler-stage.ts";

test("[HPA10] where an adapter serves metrics from outside, replicas follow them, as a whole or for each pod", async () => {
  const asked: string[] = [];
  const external = (target: NonNullable<MetricSpec["external"]>["target"]): MetricSpec => ({
    type: "External",
    external: { metric: { name: "queue", selector: { matchLabels: { name: "mail" } } }, target },
  });
  const answer = (path: string): unknown => {
    asked.push(path);
    return {
      items: [
        { metricName: "queue", value: "25" },
        { metricName: "queue", value: "5" },
      ],
    };
  };
  for (const [target, current] of [
    [{ type: "AverageValue", averageValue: "10" }, { averageValue: "15" }],
    [{ type: "Value", value: "20" }, { value: "30" }],
  ] as const) {
    await using stage = await startWithAdapter("external.metrics.k8s.io", answer, [external(target)]);
    assert.equal(await stage.replicas(), 3);
    const { currentMetrics } = (await stage.autoscaler()).status ?? {};
    assert.deepEqual(currentMetrics?.[0]?.external?.current, current);
    const name = "queue(&LabelSelector{MatchLabels:map[string]string{name: mail,},MatchExpressions:[]LabelSelectorRequirement{},})";
    assert.ok((await stage.events()).includes(`SuccessfulRescale: New size: 3; reason: external metric ${name} above target`));
  }
  assert.ok(asked.every((path) => path === "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue?labelSelector=name%3Dmail"));
});

test("[HPA10] where an adapter serves metrics of pods and other objects, replicas follow them", async () => {
  const asked: string[] = [];
  let names: readonly string[] = [];
  const timestamp = "2026-01-01T00:00:10Z";
  const answer = (path: string): unknown => {
    asked.push(path);
    const items = path.includes("/pods/") ? names.map((name) => ({ name, value: "1500m" })) : [{ name: "web", value: "40" }];
    return { items: items.map(({ name, value }) => ({ describedObject: { name }, metricName: "hits", timestamp, value })) };
  };
  const metric = { name: "hits" };
  const pods: MetricSpec = { type: "Pods", pods: { metric, target: { type: "AverageValue", averageValue: "1" } } };
  const describedObject = { apiVersion: "v1", kind: "Service", name: "web" };
  const object: MetricSpec = { type: "Object", object: { metric, describedObject, target: { type: "Value", value: "10" } } };
  await using stage = await startWithAdapter("custom.metrics.k8s.io", answer, [pods, object]);
  names = (await stage.cluster.client.list(Pod, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
  asked.length = 0;
  await stage.pass(15);
  assert.deepEqual(asked, [
    "/apis/custom.metrics.k8s.io/v1beta1/namespaces/default/pods/*/hits?labelSelector=app%3Dweb",
    "/apis/custom.metrics.k8s.io/v1beta1/namespaces/default/services/web/hits",
  ]);
  const { currentMetrics } = (await stage.autoscaler()).status ?? {};
  assert.deepEqual(currentMetrics, [
    { type: "Pods", pods: { metric, current: { averageValue: "1500m" } } },
    { type: "Object", object: { metric, describedObject, current: { value: "40" } } },
  ]);
  assert.ok((await stage.events()).some((event) => event.endsWith("Service metric hits above target")));
});

test("[HPA8] an autoscaler says that nobody is behind the API of metrics", async () => {
  await using stage = await startStage({ cpu: "100m", replicas: 4 });
  const { client } = stage.cluster;
  const name = "v1beta1.metrics.k8s.io";
  const service = { namespace: "kube-system", name: "metrics-server" };
  await client.mergePatch(APIService, { name }, { spec: { service, insecureSkipTLSVerify: true } });
  await client.waitFor(APIService, { name }, ({ status }) => status?.conditions?.[0]?.status === "False");
  await stage.pass(15);
  const why = "the server is currently unable to handle the request (get pods.metrics.k8s.io)";
  const message = `unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ${why}`;
  assert.ok(
    (await stage.events()).includes(`FailedGetResourceMetric: failed to get cpu utilization: ${message}`),
    String(await stage.events()),
  );
});

/** A stage on which an adapter of this process serves a group, behind a Service that only has its name. */
async function startWithAdapter(
  group: string,
  answer: (path: string) => unknown,
  metrics: readonly MetricSpec[],
): Promise<AutoscalerStage> {
  const transport: Transport = async ({ path }) => {
    const isDiscovery = path === `/apis/${group}/v1beta1`;
    const isOpenApi = path.startsWith("/openapi");
    const list = { kind: "APIResourceList", groupVersion: `${group}/v1beta1`, resources: [] };
    const body = isDiscovery ? list : isOpenApi ? { paths: {} } : answer(path);
    return { status: 200, headers: { "content-type": "application/json" }, body: bodyFromBytes(Buffer.from(JSON.stringify(body))) };
  };
  const inProcess = new Map([["https://adapter.default.svc", transport]]);
  const stage = await startStage({ cluster: { extensions: { inProcess } }, spec: { metrics } });
  const { client } = stage.cluster;
  await client.create(Service, {
    metadata: { namespace: "default", name: "adapter" },
    spec: { type: "ExternalName", externalName: "adapter.example.com" },
  });
  await client.create(APIService, {
    metadata: { name: `v1beta1.${group}` },
    spec: {
      group,
      version: "v1beta1",
      service: { namespace: "default", name: "adapter" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  });
  await client.waitFor(APIService, { name: `v1beta1.${group}` }, ({ status }) => status?.conditions?.[0]?.status === "True");
  await stage.pass(15);
  return stage;
}
