import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyFromBytes, bodyText, forbidden, resource } from "@kaji/core";
import type { KubeObject, TransportRequest } from "@kaji/core";
import { defineResource } from "@kaji/core/define";
import { ManualClock } from "@kaji/core/testing";
import type { Access, UserInfo } from "@kaji/core/serving";
import { KubeClient } from "@kaji/client";
import { api } from "./api.ts";
import type { Api } from "./served-api.ts";
import { apiHandler } from "./api-handler.ts";
import { customMetric } from "./custom-metric.ts";
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
  for (const method of ["POST", "HEAD", "OPTIONS"] as const)
    assert.deepEqual(await refusalOf(`${root}/namespaces/shop/things`, { method }), notAllowed, method);
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
  assert.equal((await get(`${root}/things?includeObject=All`, tables)).status, 400);
  const older = await get(`${root}/things`, { headers: { accept: "application/json;as=Table;v=v1beta1;g=meta.k8s.io" } });
  assert.partialDeepStrictEqual(older.body, {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1beta1",
    rows: [{ object: { apiVersion: "meta.k8s.io/v1beta1" } }],
  });
});

test("[API2] clients that ask for metadata alone, as informers of metadata do, are given that", async () => {
  const { get } = setUp([things]);
  const asked = (kind: string): Partial<TransportRequest> => ({
    headers: { accept: `application/vnd.kubernetes.protobuf;as=${kind};g=meta.k8s.io;v=v1,application/json;as=${kind};g=meta.k8s.io;v=v1` },
  });
  const apiVersion = "meta.k8s.io/v1";
  const metadata = { name: "a", namespace: "blog" };
  const partial = { kind: "PartialObjectMetadata", apiVersion, metadata };
  assert.deepEqual((await get(`${root}/namespaces/blog/things/a`, asked("PartialObjectMetadata"))).body, partial);
  const list = { kind: "PartialObjectMetadataList", apiVersion, metadata: {}, items: [partial] };
  assert.deepEqual((await get(`${root}/namespaces/blog/things`, asked("PartialObjectMetadataList"))).body, list);
  const { status, body } = await get(`${root}/things`, asked("PartialObjectMetadata"));
  assert.deepEqual([status, body.message], [406, "only the following media types are accepted: application/json"]);
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
  for (const [path, status] of [
    ["/apis/", 200],
    ["/apis/example.com", 406],
    ["/apis/example.com/v1", 406],
  ] as const)
    assert.equal((await get(path, { headers: { accept } })).status, status, path);
  for (const path of ["/apis/other.com", "/apis/example.com/v2", "/openapi/v3/apis/other.com/v1"])
    assert.equal((await get(path)).status, 404, path);
});

test("[API3] discovery has the short names and categories of a kind of defineResource", async () => {
  const shortNames = ["sh"];
  const categories = ["all"];
  const Shelf = defineResource({ group: "example.com", version: "v1", kind: "Shelf", plural: "shelves", shortNames, categories });
  const { get } = setUp([api(Shelf, { list: () => [] })]);
  assert.partialDeepStrictEqual((await get(root)).body.resources, [{ name: "shelves", shortNames, categories }]);
  const { body } = await get("/apis", { headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" } });
  assert.partialDeepStrictEqual(body, { items: [{ versions: [{ resources: [{ resource: "shelves", shortNames, categories }] }] }] });
});

test("[API11] what discovery knows, OpenAPI describes", async () => {
  const { get, asked } = setUp([things]);
  assert.match(JSON.stringify((await get("/openapi/v3")).body), /"apis\/example.com\/v1"/);
  assert.deepEqual(asked, [{ type: "Path", verb: "get", path: "/openapi/v3" }]);
  const { status } = await get("/openapi/v2", { headers: { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" } });
  assert.equal(status, 406);
  assert.equal((await get("/openapi/v2", { method: "POST" })).status, 405);
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

test("[API12] a metric of objects has the values of those that are asked for, by name, labels, and labels of its own", async () => {
  const Pod = resource<KubeObject>({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
  const Deployment = resource<KubeObject>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });
  const podOf = (name: string, tier: string): Pick<KubeObject, "metadata"> => ({ metadata: { name, namespace: "shop", labels: { tier } } });
  const values = [
    { object: podOf("a", "web"), value: 1.5, windowSeconds: 60 },
    { object: podOf("b", "web"), value: 2, labels: { path: "/cart" } },
    { object: podOf("c", "db"), value: 3 },
    { object: { metadata: { name: "a", namespace: "blog" } }, value: 4 },
  ];
  const names: (string | undefined)[] = [];
  const visits = customMetric("visits", Pod, {
    values: ({ name }) => {
      names.push(name);
      return values;
    },
  });
  const { get, asked } = setUp([visits, customMetric("visits", Deployment, { values: () => [] })]);
  const path = "/apis/custom.metrics.k8s.io/v1beta2";
  const pods = `${path}/namespaces/shop/pods`;
  const now = "2026-01-01T00:00:00Z";
  assert.deepEqual((await get(`${pods}/a/visits`)).body, {
    kind: "MetricValueList",
    apiVersion: "custom.metrics.k8s.io/v1beta2",
    metadata: {},
    items: [
      {
        describedObject: { kind: "Pod", apiVersion: "v1", name: "a", namespace: "shop" },
        metric: { name: "visits" },
        timestamp: now,
        value: "1500m",
        windowSeconds: 60,
      },
    ],
  });
  assert.partialDeepStrictEqual(asked, [{ verb: "get", resource: "pods", subresource: "visits", namespace: "shop", name: "a" }]);
  const valuesAt = async (query: string): Promise<readonly string[]> =>
    Array.from(JSON.stringify((await get(`${pods}/*/visits${query}`)).body).matchAll(/"value":"([^"]*)"/g), ([, value = ""]) => value);
  assert.deepEqual(await valuesAt(""), ["1500m", "2", "3"]);
  assert.deepEqual(await valuesAt("?labelSelector=tier%3Dweb"), ["1500m", "2"]);
  assert.deepEqual(await valuesAt("?labelSelector=tier%3Dweb&metricLabelSelector=path"), ["2"]);
  assert.deepEqual(names, ["a", undefined, undefined, undefined]);
  const gone = await get(`${path}/namespaces/shop/deployments.apps/web/visits`);
  assert.deepEqual([gone.status, gone.body.message], [404, "the server could not find the metric visits for deployments.apps web"]);
  for (const none of [pods, `${pods}/a`, `${pods}/a/sales`, `${pods}/a/visits/more`, `${path}/pods/*/visits`])
    assert.equal((await get(none)).status, 404, none);
  assert.deepEqual(
    (await get(path)).body.resources?.map((each) => JSON.stringify(each).slice(0, 32)),
    ['{"name":"pods/visits","singularN', '{"name":"deployments.apps/visits'],
  );
  const { body } = await get("/apis", { headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" } });
  assert.partialDeepStrictEqual(body, {
    items: [
      { versions: [{ resources: [{ resource: "pods", verbs: [], subresources: [{ subresource: "visits", verbs: ["get"] }] }, {}] }] },
    ],
  });
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

test("[API5] what the operator itself is refused is its failure, and not the refusal of who asks it", async () => {
  const client = new KubeClient(
    async ({ path }) => {
      const text = JSON.stringify(forbidden({ group: "", plural: path }, "", "the operator may not").status);
      return { status: 403, headers: {}, body: bodyFromBytes(Buffer.from(text)) };
    },
    { clock: new ManualClock(), retries: 0 },
  );
  const reading = api(Thing, { list: async () => (await client.list(Thing)).items });
  const mayNotAsk = setUp([things], delegatedAccess(client, new ManualClock()));
  for (const { get, errors } of [setUp([reading]), mayNotAsk]) {
    const { status, body } = await get(`${root}/things`);
    assert.deepEqual([status, errors], [500, ["API request failed"]]);
    assert.match(body.message ?? "", /^the operator cannot answer: .*the operator may not/);
  }
});

test("[API5] a request that nobody waits for any more is no failure", async () => {
  const waiting = api(Thing, { list: ({ signal }) => Promise.reject(signal?.reason) });
  const { get, errors } = setUp([waiting]);
  await get(`${root}/things`, { signal: AbortSignal.abort(new Error("client disconnected")) });
  assert.deepEqual(errors, []);
});

test("[API5] an object that is not where its kind is, and would be found by some questions alone, fails the request", async () => {
  const lost = api(Thing, { list: () => [{ metadata: { name: "a" }, size: 1 }] });
  const bound = api(Zone, { list: () => [{ metadata: { name: "north", namespace: "shop" } }] });
  const { get } = setUp([lost, bound]);
  const said = async (plural: string): Promise<string | undefined> => (await get(`${root}/${plural}`)).body.message;
  assert.equal(await said("things"), "the operator cannot answer: the API of Thing lists a in no namespace, but its scope is Namespaced");
  assert.equal(
    await said("zones"),
    "the operator cannot answer: the API of Zone lists north in the namespace shop, but its scope is Cluster",
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
  await get(`${path}?fieldSelector=metadata.name%3Da`);
  assert.partialDeepStrictEqual(specs[2], { resourceAttributes: { verb: "list", resource: "things", name: "a" } });
  await get(`${path}?labelSelector=app`);
  assert.match(JSON.stringify(specs[3]), /"labelSelector":\{"requirements":\[\{"key":"app","operator":"Exists"\}\]\}/);
  const may = delegatedAccess(client, clock);
  assert.equal(await may({ username: "admin", groups: ["system:masters"] }, { type: "Path", verb: "get", path: "/apis" }), true);
  assert.equal(specs.length, 4);
});

test("[API7] an API cannot be of the group without a name", () => {
  const Core = resource<KubeObject>({ group: "", version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" });
  assert.throws(() => api(Core, { list: () => [] }), { message: "an API of Thing needs a group of its own: v1 is the API server's" });
});
