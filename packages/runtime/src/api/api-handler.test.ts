import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyFromBytes, bodyText, forbidden, resource } from "@kaji/core";
import type { KubeObject, TransportRequest } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { Access, UserInfo } from "@kaji/core/serving";
import { KubeClient } from "@kaji/client";
import { api } from "./api.ts";
import type { Api } from "./api.ts";
import { apiHandler } from "./api-handler.ts";
import { delegatedAccess } from "./delegated-access.ts";
import { externalMetric } from "./external-metric.ts";
import type { Log } from "../log/log.ts";
import { webhookHandler } from "../webhook/webhook-handler.ts";

interface Thing extends KubeObject {
  readonly size: number;
  readonly color?: string;
}

const Thing = resource<Thing>({ group: "example.com", version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" });
const Zone = resource<KubeObject>({ group: "example.com", version: "v1", kind: "Zone", plural: "zones", scope: "Cluster" });

const things = api(Thing, {
  list: () => [
    { metadata: { name: "b", namespace: "shop", labels: { tier: "gold" } }, size: 2 },
    { metadata: { name: "a", namespace: "shop" }, size: 1, color: "red" },
    { metadata: { name: "a", namespace: "blog" }, size: 3 },
  ],
  columns: { Size: ({ size }) => size, Color: ({ color }) => color },
});
const zones = api(Zone, { list: () => [{ metadata: { name: "north" } }] });
const eve: UserInfo = { username: "eve", groups: ["system:authenticated"] };

interface Rig {
  readonly errors: string[];
  readonly asked: Access[];
  readonly get: (
    path: string,
    more?: Partial<TransportRequest>,
  ) => Promise<{ readonly status: number; readonly type: string; readonly body: Answer }>;
}

/** As far as tests look into answers. */
interface Answer {
  readonly kind: string;
  readonly message?: string;
  readonly items?: readonly { readonly kind?: string; readonly metadata: { readonly name: string; readonly namespace?: string } }[];
  readonly columnDefinitions?: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: { readonly kind: string } | null }[];
  readonly resources?: readonly object[];
  readonly size?: number;
}

function setUp(apis: readonly Api[], may: (user: UserInfo, access: Access) => Promise<boolean> = async () => true): Rig {
  const errors: string[] = [];
  const asked: Access[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    child: () => log,
    error: (_fields: object, message: string) => errors.push(message),
  };
  const access = {
    userOf: () => eve,
    may: (user: UserInfo, wanted: Access) => {
      asked.push(wanted);
      return may(user, wanted);
    },
  };
  const handler = apiHandler({ apis, access, log, clock: new ManualClock() }, webhookHandler({}));
  return {
    errors,
    asked,
    async get(path, more = {}) {
      const { status, headers, body } = await handler({ method: "GET", path, headers: {}, ...more });
      return { status, type: String(headers["content-type"]), body: JSON.parse(await bodyText(body)) };
    },
  };
}

const root = "/apis/example.com/v1";
const tables = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" } };

test("[API1] objects are read by namespace, name, labels and the fields that name them, in the order of their names", async () => {
  const { get } = setUp([things, zones]);
  const named = async (path: string): Promise<readonly string[] | undefined> =>
    (await get(path)).body.items?.map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`);
  assert.deepEqual(await named(`${root}/things`), ["blog/a", "shop/a", "shop/b"]);
  assert.deepEqual(await named(`${root}/namespaces/shop/things`), ["shop/a", "shop/b"]);
  assert.deepEqual(await named(`${root}/things?labelSelector=tier%3Dgold`), ["shop/b"]);
  assert.deepEqual(await named(`${root}/things?fieldSelector=metadata.name%3Da,metadata.namespace%21%3Dblog`), ["shop/a"]);
  assert.deepEqual(await named(`${root}/zones`), ["/north"]);
  const { body, status, type } = await get(`${root}/namespaces/shop/things/a`);
  assert.deepEqual([status, type], [200, "application/json"]);
  const metadata = { name: "a", namespace: "shop" };
  assert.deepEqual(body, { apiVersion: "example.com/v1", kind: "Thing", metadata, size: 1, color: "red" });
  assert.equal((await get(`${root}/zones/north`)).body.kind, "Zone");
});

test("[API1] whatever is not there, or cannot be asked for, is refused as by an API server", async () => {
  const { get } = setUp([things, zones]);
  const refusalOf = async (path: string, more: Partial<TransportRequest> = {}): Promise<readonly unknown[]> => {
    const { status, body } = await get(path, more);
    return [status, body.message];
  };
  const unknown = [404, "the server could not find the requested resource"];
  assert.deepEqual(await refusalOf(`${root}/namespaces/shop/things/gone`), [404, 'things.example.com "gone" not found']);
  for (const path of ["others", "things/a", "namespaces/shop/zones", "namespaces/shop/things/a/status"])
    assert.deepEqual(await refusalOf(`${root}/${path}`), unknown, path);
  const notAllowed = [405, "the server does not allow this method on the requested resource"];
  assert.deepEqual(await refusalOf(`${root}/things?watch=true`), notAllowed);
  assert.deepEqual(await refusalOf(`${root}/namespaces/shop/things`, { method: "POST" }), notAllowed);
  assert.deepEqual(await refusalOf(`${root}/things?fieldSelector=size%3D1`), [400, "field label not supported: size"]);
  assert.equal((await get(`${root}/things?labelSelector=a%20b`)).status, 400);
  assert.equal((await get(`${root}/things`, { headers: { accept: "application/pdf" } })).status, 406);
  assert.deepEqual(await refusalOf("/validate-nothing"), [404, "there is no webhook at /validate-nothing"]);
});

test("[API2] a table has the name and the columns, and of each object what was asked for", async () => {
  const { get } = setUp([things]);
  const { body } = await get(`${root}/namespaces/shop/things`, tables);
  assert.deepEqual(
    body.columnDefinitions?.map(({ name, type }) => [name, type]),
    [
      ["Name", "string"],
      ["Size", "number"],
      ["Color", "string"],
    ],
  );
  assert.deepEqual(
    body.rows?.map(({ cells, object }) => [...cells, object?.kind]),
    [
      ["a", 1, "red", "PartialObjectMetadata"],
      ["b", 2, null, "PartialObjectMetadata"],
    ],
  );
  const included = async (value: string): Promise<string | undefined> =>
    (await get(`${root}/namespaces/blog/things/a?includeObject=${value}`, tables)).body.rows?.[0]?.object?.kind;
  assert.deepEqual([await included("Object"), await included("None")], ["Thing", undefined]);
});

test("[API3] discovery says what there is, for each version of a group or for all at once", async () => {
  const { get, asked } = setUp([things, zones]);
  assert.deepEqual((await get(root)).body, {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "example.com/v1",
    resources: [
      { name: "things", singularName: "thing", namespaced: true, kind: "Thing", verbs: ["get", "list"] },
      { name: "zones", singularName: "zone", namespaced: false, kind: "Zone", verbs: ["get", "list"] },
    ],
  });
  assert.deepEqual(asked, [{ type: "Path", verb: "get", path: root }]);
  const versions = [{ groupVersion: "example.com/v1", version: "v1" }];
  const group = { name: "example.com", versions, preferredVersion: versions[0] };
  assert.deepEqual((await get("/apis")).body, { kind: "APIGroupList", apiVersion: "v1", groups: [group] });
  assert.deepEqual((await get("/apis/example.com")).body, { kind: "APIGroup", apiVersion: "v1", ...group });
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { type, body } = await get("/apis", { headers: { accept } });
  assert.equal(type, accept);
  assert.partialDeepStrictEqual(body, {
    kind: "APIGroupDiscoveryList",
    items: [{ metadata: { name: "example.com" }, versions: [{ version: "v1", resources: [{ resource: "things", scope: "Namespaced" }] }] }],
  });
  for (const path of ["/apis/other.com", "/apis/example.com/v2", "/openapi/v3"]) assert.equal((await get(path)).status, 404, path);
});

test("[API4] a metric has the values whose labels are asked for, as quantities", async () => {
  const values = [
    { labels: { site: "shop" }, value: 2.5, windowSeconds: 60 },
    { labels: { site: "blog" }, value: "250m", timestampMs: 1000 },
    { value: 1e6 },
  ];
  const { get } = setUp([
    externalMetric("visits", { values: () => values }),
    externalMetric("wrong", { values: () => [{ value: Number.NaN }] }),
  ]);
  const path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/visits";
  const itemsOf = async (query: string): Promise<unknown> => (await get(`${path}${query}`)).body.items;
  const metricName = "visits";
  const now = "2026-01-01T00:00:00Z";
  assert.deepEqual(await itemsOf("?labelSelector=site%3Dshop"), [
    { metricName, metricLabels: { site: "shop" }, timestamp: now, window: 60, value: "2500m" },
  ]);
  assert.deepEqual(await itemsOf("?labelSelector=site%21%3Dshop"), [
    { metricName, metricLabels: { site: "blog" }, timestamp: "1970-01-01T00:00:01Z", value: "250m" },
    { metricName, metricLabels: {}, timestamp: now, value: "1M" },
  ]);
  const { status, body } = await get(path.replace("visits", "wrong"));
  assert.deepEqual([status, body.message], [500, "the operator cannot answer: the metric wrong has the value NaN, which is no quantity"]);
});

test("[API5] what a handler refuses is refused, and one that fails is told of and ends nothing", async () => {
  const refusing = api(Thing, {
    list: ({ user }) => {
      throw forbidden({ group: "example.com", plural: "things" }, "", `${user.username} has seen enough`);
    },
  });
  const failing = api(Zone, { list: () => Promise.reject(new Error("the map is torn")) });
  const { get, errors } = setUp([refusing, failing]);
  const refused = await get(`${root}/things`);
  assert.deepEqual([refused.status, refused.body.message], [403, "things.example.com is forbidden: eve has seen enough"]);
  const failed = await get(`${root}/zones`);
  assert.deepEqual(
    [failed.status, failed.body.message, errors],
    [500, "the operator cannot answer: the map is torn", ["API request failed"]],
  );
});

test("[API6] the API server is asked who may, admins excepted, and believed for ten seconds", async () => {
  const clock = new ManualClock();
  const specs: { readonly resourceAttributes?: object }[] = [];
  const client = new KubeClient(
    async ({ body }) => {
      const { spec } = JSON.parse(Buffer.from(body ?? []).toString());
      specs.push(spec);
      const text = JSON.stringify({
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        status: { allowed: specs.length > 1 },
      });
      return { status: 201, headers: {}, body: bodyFromBytes(Buffer.from(text)) };
    },
    { clock },
  );
  const { get } = setUp([things], delegatedAccess(client, clock));
  const path = `${root}/namespaces/shop/things`;
  const { status, body } = await get(path);
  const why = 'User "eve" cannot list resource "things" in API group "example.com" in the namespace "shop"';
  assert.deepEqual([status, body.message], [403, `things.example.com is forbidden: ${why}`]);
  assert.deepEqual(specs[0]?.resourceAttributes, {
    verb: "list",
    group: "example.com",
    version: "v1",
    resource: "things",
    namespace: "shop",
  });
  assert.deepEqual([(await get(path)).status, specs.length], [403, 1]);
  await clock.advance(10_000);
  assert.deepEqual([(await get(path)).status, specs.length], [200, 2]);
  const may = delegatedAccess(client, clock);
  assert.equal(await may({ username: "admin", groups: ["system:masters"] }, { type: "Path", verb: "get", path: "/apis" }), true);
  assert.equal(specs.length, 2);
});

test("[API7] an API cannot be of the group without a name", () => {
  const Core = resource<KubeObject>({ group: "", version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" });
  assert.throws(() => api(Core, { list: () => [] }), { message: "an API of Thing needs a group of its own: v1 is the API server's" });
});
