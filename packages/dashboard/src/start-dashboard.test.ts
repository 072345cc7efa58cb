import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { KubeClient } from "@kaji/client";
import { startCluster } from "@kaji/cluster";
import type { Cluster } from "@kaji/cluster";
import { defineResource, z } from "@kaji/core/define";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Event, Secret } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kaji/types/rbac/v1";
import { ListenError } from "./http/listen.ts";
import { startDashboard } from "./start-dashboard.ts";
import type { Dashboard } from "./start-dashboard.ts";
import type { ObjectDetail, TreeNode } from "./page/live-message.ts";
import type { PageState } from "./page/page-state.ts";
import { openPage, untilListed } from "./testing/live-page.ts";

const Bar = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({ size: z.int32() }),
  columns: { Size: "spec.size" },
});

const bars = "bars.example.com";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks with any headers whatever, and for any path as it is. */
async function answerTo({ url }: Dashboard, path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, headers, method }).end();
  const [response]: readonly IncomingMessage[] = await once(sent, "response");
  assert.ok(response !== undefined);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** Each node of a tree, with the first of its children. */
function branch(node: TreeNode | undefined): readonly string[] {
  return node === undefined ? [] : [`${node.kind} ${node.state}`, ...branch(node.children[0])];
}

function shown({ object }: PageState): ObjectDetail | undefined {
  return object === "Unknown" ? undefined : object;
}

describe("a dashboard", () => {
  let cluster: Cluster;
  let dashboard: Dashboard;

  before(async () => {
    cluster = await startCluster({ nodes: 1 });
    dashboard = await startDashboard({ client: cluster.client, cluster: "test", watchesAtOnce: true });
  });

  after(async () => {
    await dashboard[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  test("[DB1] answers HEAD with the head of what goes on without end", async () => {
    const authorization = `Bearer ${new URL(dashboard.url).hash.replace("#token=", "")}`;
    const { status, headers } = await answerTo(dashboard, "/live", { authorization }, "HEAD");
    assert.deepEqual([status, headers["content-type"]], [200, "application/x-ndjson; charset=utf-8"]);
  });

  test("[DB5] serves a page of its own files alone, under a strict policy", async () => {
    const page = await answerTo(dashboard, "/");
    assert.equal(page.status, 200);
    assert.match(
      String(page.headers["content-security-policy"]),
      /^default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
    );
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    const paths = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    assert.deepEqual(paths, ["/icon.svg", "/style.css", "/browser/main.js"]);
    for (const path of paths) {
      const { status, body, headers } = await answerTo(dashboard, path);
      assert.deepEqual([status, headers["cache-control"]], [200, "no-store"], path);
      assert.doesNotMatch(body, /(?:url\((?!"\/icon\.svg"\))|@import|https?:\/\/(?!www\.w3\.org\/))/, path);
    }
  });

  test("[DB5] has modules that import nothing but each other", async () => {
    const [open, seen] = [["/browser/main.js"], new Set<string>()];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, body, headers } = await answerTo(dashboard, path);
      assert.deepEqual([status, headers["content-type"]], [200, "text/javascript; charset=utf-8"], path);
      for (const [, specifier = ""] of body.matchAll(/from "([^"]+)"/g)) {
        assert.match(specifier, /^\.\.?\//, path);
        open.push(new URL(specifier, `http://localhost${path}`).pathname);
      }
    }
    assert.ok(seen.size > 10);
  });

  test("[DB2, DB3] tells nothing to other pages, by other names, or without the token", async () => {
    const { host, hash } = new URL(dashboard.url);
    const authorization = `Bearer ${hash.replace("#token=", "")}`;
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await answerTo(dashboard, "/live", { host, ...headers })).status;
    assert.equal(await status({}), 401);
    assert.equal(await status({ authorization, host: "evil.example" }), 403);
    assert.equal(await status({ authorization, origin: "http://evil.example" }), 403);
    assert.equal((await answerTo(dashboard, "/../package.json")).status, 404);
    assert.equal((await answerTo(dashboard, "/browser/%2e%2e/index.ts")).status, 404);
    assert.equal((await answerTo(dashboard, "//")).status, 404);
  });

  test("[DB7, DB9, DB13] shows an operator's objects, what they own, and each change with who made it", async () => {
    const { client } = cluster;
    await client.create(CustomResourceDefinition, Bar.crd());
    await using page = await openPage(dashboard.url, { kind: bars, object: "default/a" });
    await page.until(({ table }) => typeof table === "object");
    await untilListed(dashboard.url, ["deployments.apps", "replicasets.apps", "pods"]);
    const bar = await client.create(Bar, { metadata: { name: "a", namespace: "default" }, spec: { size: 1 } }, { fieldManager: "user" });
    const labels = { app: "a" };
    const ownerReferences = [{ apiVersion: bar.apiVersion, kind: bar.kind, name: "a", uid: bar.metadata.uid ?? "", controller: true }];
    const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };
    await client.create(Deployment, {
      metadata: { name: "a", namespace: "default", ownerReferences },
      spec: { selector: { matchLabels: labels }, template },
    });
    const family = ["Bar Quiet", "Deployment Good", "ReplicaSet Good", "Pod Good"];
    const { table, rows } = await page.until((state) => branch(shown(state)?.tree).join() === family.join());
    assert.deepEqual(typeof table === "object" ? table.columns : table, ["Size"]);
    assert.deepEqual(rows.get("default/a")?.cells, ["1"]);

    await client.mergePatch(Bar, "default/a", { spec: { size: 2 } }, { fieldManager: "another-user" });
    const { changes } = await page.until(({ changes: all }) =>
      all.some(({ object: { kind }, type }) => kind === "Bar" && type === "Changed"),
    );
    const change = changes.find(({ object: { kind }, type }) => kind === "Bar" && type === "Changed");
    assert.deepEqual(change?.fields, [{ path: "spec.size", before: "1", after: "2", manager: "another-user" }]);
    assert.deepEqual(change?.managers, ["another-user"]);
    const created = changes.filter(({ type }) => type === "Created").map(({ object: { kind } }) => kind);
    assert.deepEqual(created.toSorted(), ["Bar", "Deployment", "Pod", "ReplicaSet"]);
    await page.until((state) => shown(state)?.events.some(({ reason, about }) => reason === "Started" && about.kind === "Pod") === true);
  });

  test("shows an object that is deleted as it was last, and a kind whose definition is deleted as gone", async () => {
    const { client } = cluster;
    await using page = await openPage(dashboard.url, { kind: bars, object: "default/a" });
    await page.until((state) => shown(state) !== undefined);
    await client.delete(Bar, "default/a");
    const last = shown(await page.until((state) => shown(state)?.why === "is deleted"));
    assert.deepEqual([last?.yaml.includes("size: 2"), last?.tree], [true, undefined]);
    await client.delete(CustomResourceDefinition, bars);
    const { kinds } = await page.until(({ table }) => table === undefined);
    assert.ok(!kinds.some(({ id }) => id === bars));
  });

  test("[DB4] never tells the data of a Secret, neither at first nor when it changes", async () => {
    const { client } = cluster;
    const metadata = { name: "password", namespace: "default" };
    await client.create(Secret, { metadata, data: { password: Buffer.from("hunter2").toString("base64") } });
    await using page = await openPage(dashboard.url, { kind: "secrets", object: "default/password" });
    await page.until((state) => shown(state)?.yaml.includes("•••••• (7 bytes)") === true);
    await client.mergePatch(Secret, "default/password", { data: { password: Buffer.from("correct horse").toString("base64") } });
    const { changes } = await page.until((state) => state.changes.some(({ type }) => type === "Changed"));
    assert.deepEqual(
      changes.at(-1)?.fields?.map(({ path, before: was, after: is }) => [path, was, is]),
      [["data.password", "•••••• (7 bytes)", "•••••• (13 bytes)"]],
    );
    for (const secret of ["hunter2", "correct horse"]) {
      assert.ok(!page.received().includes(secret) && !page.received().includes(Buffer.from(secret).toString("base64")));
    }
  });
});

test("[DB14] a kind that may not be listed is shown as such, and the others go on", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const user = { username: "ann", groups: ["system:authenticated"] };
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }];
  await cluster.client.create(ClusterRole, { metadata: { name: "reader" }, rules });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
  await cluster.client.create(ClusterRoleBinding, {
    metadata: { name: "reader" },
    roleRef,
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
  });
  await using dashboard = await startDashboard({ client: new KubeClient(cluster.transport(user)), cluster: "test" });
  await using page = await openPage(dashboard.url, { kind: "configmaps" });
  const { kinds } = await page.until(
    (state) => state.kinds.some(({ id, problem }) => id === "secrets" && problem !== undefined) && state.rows.size > 0,
  );
  assert.equal(kinds.find(({ id }) => id === "secrets")?.problem, "you may not list and watch this kind");
  await cluster.client.create(ConfigMap, { metadata: { name: "new", namespace: "default" } });
  await page.until(({ rows }) => rows.has("default/new"));
});

test("[DB8] of more objects than are kept it is known how many there are; no more pages are open than may be", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const create = (name: string): Promise<unknown> => cluster.client.create(ConfigMap, { metadata: { name, namespace: "default" } });
  for (const name of ["a", "b", "c", "d"]) await create(name);
  const limits = { objectsPerKind: 3, pages: 1 };
  await using dashboard = await startDashboard({ client: cluster.client, cluster: "test", limits });
  await using page = await openPage(dashboard.url, { kind: "configmaps" });
  const count = (wanted: number): Promise<PageState> =>
    page.until(({ kinds, rows }) => kinds.find(({ id }) => id === "configmaps")?.count === wanted && rows.size === 3);
  const all = (await cluster.client.list(ConfigMap)).items.length;
  await count(all);
  await create("e");
  await count(all + 1);
  await cluster.client.delete(ConfigMap, "default/e");
  await count(all);
  await cluster.client.delete(ConfigMap, "default/a");
  await cluster.client.mergePatch(ConfigMap, "default/d", { data: { b: "c" } });
  await page.until((state) => state.rows.has("default/d"));
  await count(all - 1);
  await assert.rejects(openPage(dashboard.url), /^Error: 503: 1 pages are open already; close one of them/);
});

test("[DB8] an object beyond those that are kept is shown all the same, and as it changes", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const { client } = cluster;
  const metadata = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });
  await client.create(ConfigMap, { metadata: metadata("a") });
  const { uid = "" } = (await client.create(ConfigMap, { metadata: metadata("b"), data: { size: "1" } })).metadata;
  const involvedObject = { apiVersion: "v1", kind: "ConfigMap", ...metadata("b"), uid };
  await client.create(Event, { metadata: metadata("b.1"), involvedObject, reason: "Tried" });
  await using dashboard = await startDashboard({ client, cluster: "test", limits: { objectsPerKind: 1 } });
  await using page = await openPage(dashboard.url, { kind: "configmaps", object: "default/b" });
  const { rows } = await page.until((state) => shown(state)?.events[0]?.reason === "Tried");
  assert.ok(!rows.has("default/b"));
  await client.mergePatch(ConfigMap, "default/b", { data: { size: "2" } });
  await page.until((state) => shown(state)?.yaml.includes('size: "2"') === true);
  await client.delete(ConfigMap, "default/b");
  await page.until((state) => shown(state)?.why === "is deleted");
});

test("[DB15] a port in use is named", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const options = { client: cluster.client, cluster: "test" };
  await using first = await startDashboard(options);
  const port = Number(new URL(first.url).port);
  await assert.rejects(startDashboard({ ...options, port }), new ListenError(`cannot listen on 127.0.0.1:${port}: the port is in use`));
});

test("[DB14] a cluster that cannot be reached is said to be, and is shown as soon as it can", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  let isDown = true;
  const transport = cluster.transport();
  const client = new KubeClient((call) => (isDown ? Promise.reject(new Error("no route to host")) : transport(call)));
  await using dashboard = await startDashboard({ client, cluster: "test" });
  await using page = await openPage(dashboard.url);
  const { problem } = await page.until((state) => state.problem !== undefined);
  assert.match(problem ?? "", /no route to host/);
  isDown = false;
  await page.until((state) => state.problem === undefined && state.kinds.length > 0);
});
