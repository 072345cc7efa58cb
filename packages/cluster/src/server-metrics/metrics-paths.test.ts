import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import { PodTemplate } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kaji/types/rbac/v1";
import type { Cluster } from "../cluster.ts";
import { startCluster } from "../start-cluster.ts";

/** Nobody else asks for these. */
const templates = "/api/v1/namespaces/default/podtemplates";
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } };

/** The samples of a server's metrics, by all that stands before their value. */
async function metricsOf(cluster: Cluster, path = "/metrics"): Promise<ReadonlyMap<string, number>> {
  const { status, headers, body } = await cluster.transport()({ method: "GET", path, headers: {} });
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
  const lines = (await bodyText(body)).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

/** As it stands in the metrics of a real server. */
function labels(verb: string, scope: string, { code = "", dryRun = "", subresource = "" } = {}): string {
  const counted = code === "" ? "" : `code="${code}",`;
  return `{${counted}component="apiserver",dry_run="${dryRun}",group="",resource="podtemplates",scope="${scope}",subresource="${subresource}",verb="${verb}",version="v1"`;
}

test("[SMET1] requests are counted by verb, kind, scope, dry run and status, under the names of the real server", async () => {
  await using cluster = await startCluster();
  const send = async (method: TransportRequest["method"], path: string, body?: unknown, type = "application/json"): Promise<void> => {
    const given = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
    await cluster.transport()({ method, path, headers: { "content-type": type }, ...given });
  };
  const object = { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "a" }, template };
  await send("POST", templates, object);
  await send("POST", templates, object);
  await send("POST", `${templates}?dryRun=All`, { ...object, metadata: { name: "b" } });
  await send("PATCH", `${templates}/a?fieldManager=me`, object, "application/apply-patch+yaml");
  await send("PATCH", `${templates}/a`, {}, "application/merge-patch+json");
  await send("GET", `${templates}?limit=1`);
  await send("DELETE", templates);
  await send("GET", "/api/v1/namespaces/default/nonsense");
  await send("GET", "/apis/example.com/v1/nonsense");
  await send("GET", "/readyz");
  const metrics = await metricsOf(cluster);
  const total = (...named: Parameters<typeof labels>): number | undefined => metrics.get(`apiserver_request_total${labels(...named)}}`);
  assert.equal(total("POST", "resource", { code: "201" }), 1);
  assert.equal(total("POST", "resource", { code: "409" }), 1);
  assert.equal(total("POST", "resource", { code: "201", dryRun: "All" }), 1);
  assert.equal(total("APPLY", "resource", { code: "200" }), 1);
  assert.equal(total("PATCH", "resource", { code: "200" }), 1);
  assert.equal(total("LIST", "namespace", { code: "200" }), 1);
  assert.equal(total("DELETECOLLECTION", "namespace", { code: "200" }), 1);
  const readyz = `{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""}`;
  assert.equal(metrics.get(`apiserver_request_total${readyz}`), 1);
  assert.ok([...metrics.keys()].every((sample) => !sample.includes("nonsense")));
});

test("[SMET2] the time that requests take is told in the buckets of the real server, but for what goes on", async () => {
  await using cluster = await startCluster();
  await cluster.client.get(PodTemplate, "default/nobody").catch(() => {});
  const stopped = new AbortController();
  const { status } = await cluster.transport()({
    method: "GET",
    path: `${templates}?watch=true`,
    headers: {},
    signal: stopped.signal,
  });
  assert.equal(status, 200);
  const metrics = await metricsOf(cluster);
  const name = "apiserver_request_duration_seconds";
  const got = labels("GET", "resource");
  assert.equal(metrics.get(`${name}_count${got}}`), 1);
  assert.equal(metrics.get(`${name}_bucket${got},le="60"}`), 1);
  assert.equal(metrics.get(`${name}_bucket${got},le="+Inf"}`), 1);
  assert.equal(metrics.get(`apiserver_request_total${labels("WATCH", "namespace", { code: "200" })}}`), 1);
  assert.equal(metrics.get(`${name}_count${labels("WATCH", "namespace")}}`), undefined);
  stopped.abort();
});

test("[SMET3] objects are counted by kind, and the process is told of", async () => {
  await using cluster = await startCluster();
  const sample = 'apiserver_resource_objects{group="",resource="podtemplates"}';
  const before = (await metricsOf(cluster)).get(sample) ?? assert.fail();
  await cluster.client.create(PodTemplate, { metadata: { name: "a", namespace: "default" }, template });
  const metrics = await metricsOf(cluster);
  assert.equal(metrics.get(sample), before + 1);
  assert.equal(metrics.get('apiserver_storage_objects{resource="podtemplates"}'), before + 1);
  assert.equal(metrics.get('apiserver_storage_objects{resource="deployments.apps"}'), 0);
  assert.equal(metrics.get('kubernetes_build_info{git_version="v1.36.3",major="1",minor="36"}'), 1);
  for (const name of ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds"]) {
    assert.ok((metrics.get(name) ?? 0) > 0, name);
  }
});

test("[SMET6] health checks that were asked for are counted by where and by name, but for those that were to be left out", async () => {
  await using cluster = await startCluster();
  for (const path of ["/readyz", "/readyz?exclude=ping", "/readyz/ping", "/livez"]) {
    await cluster.transport()({ method: "GET", path, headers: {} });
  }
  const metrics = await metricsOf(cluster, "/metrics/slis");
  const total = (name: string, type: string): number | undefined =>
    metrics.get(`kubernetes_healthchecks_total{name="${name}",status="success",type="${type}"}`);
  assert.equal(total("log", "readyz"), 2);
  assert.equal(total("ping", "readyz"), 1);
  assert.equal(total("ping", "livez"), 1);
  assert.equal(total("ping", "healthz"), undefined);
  assert.equal(metrics.get('kubernetes_healthcheck{name="poststarthook/rbac/bootstrap-roles",type="readyz"}'), 1);
  assert.ok(metrics.has("process_start_time_seconds"));
});

test("[SMET4] they are for those who may get the path", async () => {
  await using cluster = await startCluster();
  const statusOf = async (): Promise<number> => {
    const as = cluster.transport({ username: "prometheus", groups: ["system:authenticated"] });
    return (await as({ method: "GET", path: "/metrics", headers: {} })).status;
  };
  assert.equal(await statusOf(), 403);
  await cluster.client.create(ClusterRole, { metadata: { name: "scraper" }, rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }] });
  await cluster.client.create(ClusterRoleBinding, {
    metadata: { name: "scraper" },
    subjects: [{ kind: "User", name: "prometheus", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "scraper" },
  });
  await cluster.settled();
  assert.equal(await statusOf(), 200);
});
