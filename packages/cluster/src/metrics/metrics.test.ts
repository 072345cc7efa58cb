import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyFromBytes, bodyText } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { APIService } from "@kaji/types/apiregistration/v1";
import { Pod, Service } from "@kaji/types/core/v1";
import { RoleBinding } from "@kaji/types/rbac/v1";
import type { Cluster, ClusterOptions } from "../cluster.ts";
import { startCluster } from "../start-cluster.ts";
import { NodeMetrics, PodMetrics } from "./resource-metrics.ts";

const root = "/apis/metrics.k8s.io/v1beta1";
const clock = new ManualClock(Date.UTC(2026, 0, 1));

test("[METRIC1] metrics.k8s.io tells what the containers of pods use, in the quantities of metrics-server, by namespace and labels", async () => {
  await using cluster = await start();
  await run(cluster, "default", "web-0", { app: "web" });
  await run(cluster, "default", "db-0", { app: "db" });
  await run(cluster, "kube-system", "web-1", { app: "web" });
  cluster.pods.match("app=web").use({ cpu: "250m", memory: "64Mi" });
  cluster.pods.match("app=db").use({ cpu: "123456789n", memory: "2000" }).use({ memory: "1Gi" }, { container: "side" });
  await cluster.settled();

  const names = async (path: string): Promise<readonly string[]> =>
    (await get(cluster, path)).items.map(({ metadata }: PodMetrics) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(await names(`${root}/pods`), ["default/db-0", "default/web-0", "kube-system/web-1"]);
  assert.deepEqual(await names(`${root}/namespaces/default/pods`), ["default/db-0", "default/web-0"]);
  assert.deepEqual(await names(`${root}/pods?labelSelector=app%3Dweb`), ["default/web-0", "kube-system/web-1"]);
  assert.deepEqual(await get(cluster, `${root}/namespaces/default/pods/db-0`), {
    kind: "PodMetrics",
    apiVersion: "metrics.k8s.io/v1beta1",
    metadata: { name: "db-0", namespace: "default", creationTimestamp: "2026-01-01T00:00:00Z", labels: { app: "db" } },
    timestamp: "2026-01-01T00:00:00Z",
    window: "15s",
    containers: [
      { name: "main", usage: { cpu: "123456789n", memory: "2000" } },
      { name: "side", usage: { cpu: "0", memory: "1Gi" } },
    ],
  });
  const list = await get(cluster, `${root}/namespaces/default/pods`);
  assert.deepEqual([list.kind, Object.keys(list.items[0])], ["PodMetricsList", ["metadata", "timestamp", "window", "containers"]]);
});

test("[METRIC2] nodes use what their pods use together; of pods of which nothing is said or known there are no metrics", async () => {
  await using cluster = await start({ nodes: 2 });
  const all = async (): Promise<readonly unknown[]> =>
    (await cluster.client.list(NodeMetrics)).items.map(({ metadata, usage }) => [metadata.name, usage]);
  await run(cluster, "default", "web-0", { app: "web" });
  assert.deepEqual((await cluster.client.list(PodMetrics)).items, []);
  const idle = { cpu: "0", memory: "0" };
  assert.deepEqual(await all(), [
    ["node-1", idle],
    ["node-2", idle],
  ]);
  cluster.pods.match("app=web").use(({ metadata }) => (metadata.name === "web-0" ? { cpu: "1500m", memory: "1Mi" } : undefined));
  const { nodeName } = (await cluster.client.get(Pod, { namespace: "default", name: "web-0" })).spec ?? {};
  const busy = { cpu: "3", memory: "2Mi" };
  assert.deepEqual(
    await all(),
    ["node-1", "node-2"].map((name) => [name, name === nodeName ? busy : idle]),
  );
  cluster.pods.match("app=web").succeed();
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(PodMetrics)).items, [], "what has ended uses nothing");
});

test("[METRIC3] the APIService is available, and says so in discovery; a table has what kubectl get shows", async () => {
  await using cluster = await start();
  await run(cluster, "default", "web-0", { app: "web" });
  cluster.pods.match("app=web").use({ cpu: "250m", memory: "64Mi" });
  const service = await get(cluster, "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io");
  assert.partialDeepStrictEqual(service, {
    spec: { group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 },
    status: { conditions: [{ type: "Available", status: "True" }] },
  });
  assert.deepEqual((await get(cluster, root)).resources, [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
  ]);
  const table = await get(cluster, `${root}/pods`, "application/json;as=Table;v=v1;g=meta.k8s.io");
  assert.deepEqual(
    table.columnDefinitions.map(({ name }: { readonly name: string }) => name),
    ["Name", "cpu", "memory", "Window"],
  );
  assert.deepEqual(table.rows[0].cells, ["web-0", "500m", "128Mi", "15s"]);
});

test("[METRIC6] whoever may look at the pods of a namespace may read their metrics, and nobody else", async () => {
  await using cluster = await start();
  await run(cluster, "default", "web-0", { app: "web" });
  await cluster.client.create(RoleBinding, {
    metadata: { namespace: "default", name: "viewer" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  });
  await cluster.settled();
  const statusFor = async (username: string, path: string): Promise<number> => {
    const transport = cluster.transport({ username, groups: ["system:authenticated"] });
    return (await transport({ method: "GET", path: `${root}/${path}`, headers: {} })).status;
  };
  assert.equal(await statusFor("ann", "namespaces/default/pods"), 200);
  assert.deepEqual([await statusFor("ann", "nodes"), await statusFor("bob", "namespaces/default/pods")], [403, 403]);
});

test("[METRIC3] where there are no nodes nobody measures, and there is no such API", async () => {
  await using cluster = await start({ nodes: 0 });
  assert.equal((await cluster.transport()({ method: "GET", path: root, headers: {} })).status, 404);
  const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io";
  assert.equal((await cluster.transport()({ method: "GET", path, headers: {} })).status, 404);
});

test("[METRIC2] an annotation says what a pod uses where no test does, and may change at any time", async () => {
  await using cluster = await start();
  await run(cluster, "default", "web-0", { app: "web" });
  const usage = async (text: string | null): Promise<unknown> => {
    const annotations = { "kaji.dev/usage": text };
    await cluster.client.mergePatch(Pod, { namespace: "default", name: "web-0" }, { metadata: { annotations } });
    return (await cluster.client.list(PodMetrics)).items[0]?.containers[1]?.usage;
  };
  assert.deepEqual(await usage("cpu=250m, memory=64Mi"), { cpu: "250m", memory: "64Mi" });
  assert.deepEqual(await usage("memory=1Gi"), { cpu: "0", memory: "1Gi" });
  assert.equal(await usage("cpu=much"), undefined);
  cluster.pods.match("app=web").use({ cpu: "1" });
  assert.deepEqual(await usage("cpu=2"), { cpu: "1", memory: "0" });
});

test("[METRIC2] whoever writes an annotation that says nothing sensible is warned, once", async () => {
  await using cluster = await start();
  const transport = cluster.transport();
  const told = async (usage: string, label: string): Promise<unknown> => {
    const { headers } = await transport({
      method: "PATCH",
      path: "/api/v1/namespaces/default/pods/web-0",
      headers: { "content-type": "application/merge-patch+json" },
      body: Buffer.from(JSON.stringify({ metadata: { annotations: { "kaji.dev/usage": usage }, labels: { label } } })),
    });
    return headers["warning"];
  };
  await run(cluster, "default", "web-0", { app: "web" });
  const field = "metadata.annotations[kaji.dev/usage]";
  assert.deepEqual(await told("cpu=much", "a"), [`299 - "${field}: cpu is no quantity like 250m or 64Mi: \\"much\\""`]);
  assert.equal(await told("cpu=much", "b"), undefined);
  assert.deepEqual(await told("cpus=2", "c"), [`299 - "${field}: is not like \\"cpu=250m,memory=64Mi\\": it has \\"cpus=2\\""`]);
  assert.equal(await told("cpu=2", "d"), undefined);
});

test("[METRIC4] a fork tells what the original does, until something else is said to one of them", async () => {
  await using cluster = await start();
  await run(cluster, "default", "web-0", { app: "web" });
  cluster.pods.match("app=web").use({ cpu: "250m" });
  await using fork = await cluster.fork({ clock: new ManualClock(clock.now()) });
  const cpuIn = async ({ client }: Cluster): Promise<unknown> => (await client.list(PodMetrics)).items[0]?.containers[0]?.usage.cpu;
  assert.equal(await cpuIn(fork), "250m");
  fork.pods.match("app=web").use({ cpu: "1" });
  assert.deepEqual([await cpuIn(cluster), await cpuIn(fork)], ["250m", "1"]);
});

test("[METRIC3] an APIService of a user's takes the place of the server's own", async () => {
  const transport: Transport = async () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: bodyFromBytes(Buffer.from('{"kind":"APIResourceList","groupVersion":"metrics.k8s.io/v1beta1","resources":[],"items":["mine"]}')),
  });
  const extensions = { inProcess: new Map([["https://metrics-server.kube-system.svc", transport]]) };
  await using cluster = await start({ extensions });
  const name = "v1beta1.metrics.k8s.io";
  const service = { namespace: "kube-system", name: "metrics-server" };
  await cluster.client.create(Service, { metadata: service, spec: { type: "ExternalName", externalName: "metrics.example.com" } });
  await cluster.client.mergePatch(APIService, { name }, { spec: { service, insecureSkipTLSVerify: true } });
  await cluster.client.waitFor(APIService, { name }, ({ status }) => status?.conditions?.[0]?.reason === "Passed");
  assert.deepEqual((await get(cluster, `${root}/pods`)).items, ["mine"]);
});

function start(options: Pick<ClusterOptions, "extensions" | "nodes"> = {}): Promise<Cluster> {
  return startCluster({ clock, random: seededRandom(1), ...options });
}

/** Runs a pod of two containers. */
async function run(cluster: Cluster, namespace: string, name: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const containers = ["main", "side"].map((each) => ({ name: each, image: "example/web:1" }));
  await cluster.client.create(Pod, { metadata: { namespace, name, labels }, spec: { containers } });
  await cluster.settled();
}

async function get(cluster: Cluster, path: string, accept = "application/json") {
  const { status, body } = await cluster.transport()({ method: "GET", path, headers: { accept } });
  const text = await bodyText(body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}
