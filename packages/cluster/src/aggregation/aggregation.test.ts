import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalApiServices, createMemoryStorage, textResponse } from "@kaji/apiserver";
import type { ApiServer } from "@kaji/apiserver";
import { isJsonObject, parseJsonBytes } from "@kaji/core";
import type { JsonObject, Transport, TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../create-api-server.ts";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { LocalApi } from "../upkeep/local-api.ts";
import { apiServices, remoteService } from "../testing/remote-service.ts";
import { builtinPriorities } from "./builtin-priorities.ts";

const path = "/apis/things.example.com/v1/things";
const services = "/api/v1/namespaces/ext/services";
const slices = "/apis/discovery.k8s.io/v1/namespaces/ext/endpointslices";

test("[AGG1] every version that the server serves itself has an APIService, which is always available", async () => {
  await using rig = await startRig();
  assert.deepEqual(await rig.names(), Object.keys(builtinPriorities).map(serviceName).toSorted());
  const apps = await rig.api.send("GET", `${apiServices}/v1.apps`);
  assert.deepEqual(apps["spec"], { group: "apps", version: "v1", groupPriorityMinimum: 17_800, versionPriority: 15 });
  assert.deepEqual(apps.metadata.labels, { "kube-aggregator.kubernetes.io/automanaged": "onstart" });
  assert.partialDeepStrictEqual(conditionOf(apps), {
    type: "Available",
    status: "True",
    reason: "Local",
    message: "Local APIServices are always available",
  });
});

test("[AGG1] that of a custom kind comes and goes with it, and comes back when it is deleted", async () => {
  await using rig = await startRig();
  await rig.api.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  await rig.until("v1.example.com", (service) => service !== undefined);
  const made = await rig.api.send("GET", `${apiServices}/v1.example.com`);
  assert.partialDeepStrictEqual(made, { spec: { groupPriorityMinimum: 1000, versionPriority: 100 } });
  await rig.api.send("DELETE", `${apiServices}/v1.example.com`);
  await rig.until(
    "v1.example.com",
    (service) => service !== undefined && stringField(objectField(service, "metadata"), "uid") !== made.metadata.uid,
  );
  await rig.api.send("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com");
  await rig.until("v1.example.com", (service) => service === undefined);
});

test("[AGG2] the condition of another server's says what stands in its way", async () => {
  await using rig = await startRig();
  await rig.api.send("POST", apiServices, remoteService);
  const [name, none] = ["service/server", { status: "False" }];
  await rig.untilCondition({ ...none, reason: "ServiceNotFound", message: `${name} in "ext" is not present` });
  await rig.api.send("POST", services, { metadata: { name: "server" }, spec: { ports: [{ name: "other", port: 80 }] } });
  await rig.untilCondition({ ...none, reason: "ServicePortError", message: `${name} in "ext" is not listening on port 443` });
  const ports = [{ name: "https", port: 443 }];
  await rig.api.send("PATCH", `${services}/server`, { spec: { ports } }, "application/merge-patch+json");
  await rig.untilCondition({ ...none, reason: "EndpointsNotFound", message: `cannot find endpointslices for ${name} in "ext"` });
  const endpoints = (ready: boolean): readonly JsonObject[] => [{ addresses: ["192.0.2.7"], conditions: { ready } }];
  const labels = { "kubernetes.io/service-name": "server" };
  const slice = {
    metadata: { name: "any", labels },
    addressType: "IPv4",
    ports: [{ name: "https", port: 1 }],
    endpoints: endpoints(false),
  };
  await rig.api.send("POST", slices, slice);
  const missing = `endpointslices for ${name} in "ext" have no addresses with port name "https"`;
  await rig.untilCondition({ ...none, reason: "MissingEndpoints", message: missing });
  const { status, text } = await rig.call("GET", path);
  assert.deepEqual([status, text], [503, "service unavailable\n"]);
});

test("[AGG3] a request is passed on with who sent it, and without what only this server should see", async () => {
  const seen: TransportRequest[] = [];
  const answer: Transport = async (request) => {
    seen.push(request);
    return { status: 418, headers: { "content-type": "text/tea", connection: "close" }, body: pieces("hot", " tea") };
  };
  await using rig = await startRig({ answer });
  await rig.api.send("POST", apiServices, remoteService);
  await rig.untilCondition({ status: "True", reason: "Passed", message: "all checks passed" });
  const user = { username: "eve", uid: "7", groups: ["a, b", "ops"], extra: { "example.com/Key": ["x"] } };
  const { status, headers, text } = await rig.call("POST", `${path}?dryRun=All`, {
    user,
    body: "water",
    headers: {
      authorization: "Bearer secret",
      "x-remote-user": "admin",
      "x-remote-group": "system:masters",
      "x-remote-extra-a": "b",
      other: "kept",
    },
  });
  assert.deepEqual([status, headers["content-type"], headers["connection"], text], [418, "text/tea", undefined, "hot tea"]);
  const request = seen.find(({ method }) => method === "POST");
  assert.deepEqual([request?.path, String(Buffer.from(request?.body ?? []))], [`${path}?dryRun=All`, "water"]);
  assert.deepEqual(request?.headers, {
    other: "kept",
    "x-remote-user": "eve",
    "x-remote-uid": "7",
    "x-remote-group": "a, b, ops",
    "x-remote-extra-example.com%2FKey": "x",
  });
});

test("[AGG4] who may not do something is refused by this server; nobody else is asked", async () => {
  await using rig = await startRig({ answer: () => assert.fail("was asked"), authorize: "rbac" });
  await rig.api.send("POST", apiServices, remoteService);
  await rig.untilCondition({ status: "True" });
  const { status } = await rig.call("GET", path, { user: { username: "eve", groups: [] } });
  assert.equal(status, 403);
});

test("[AGG5] discovery has what other servers serve, and says when that may be out of date", async () => {
  let isUp = true;
  await using rig = await startRig({ isUp: () => isUp });
  await rig.api.send("POST", apiServices, remoteService);
  await rig.untilCondition({ status: "True" });
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const group = async (): Promise<unknown> => {
    const { text } = await rig.call("GET", "/apis", { headers: { accept } });
    return JSON.parse(text).items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === "things.example.com");
  };
  assert.partialDeepStrictEqual(await group(), {
    versions: [{ version: "v1", freshness: "Current", resources: [{ resource: "things", scope: "Namespaced" }] }],
  });
  const plain = JSON.parse((await rig.call("GET", "/apis")).text);
  const names: readonly string[] = plain.groups.map(({ name }: { name: string }) => name);
  assert.equal(names.at(-1), "things.example.com", "its priority is lower than that of all others");
  assert.match((await rig.call("GET", "/apis/things.example.com")).text, /"preferredVersion":\{"groupVersion":"things.example.com\/v1"/);
  assert.match((await rig.call("GET", "/openapi/v3")).text, /"apis\/things.example.com\/v1":\{"serverRelativeURL":"\/openapi\/v3\/x"\}/);
  const { paths, definitions } = JSON.parse((await rig.call("GET", "/openapi/v2")).text);
  assert.deepEqual(paths["/apis/things.example.com/v1/things"], { get: { schema: { $ref: "#/definitions/Thing" } } });
  assert.deepEqual(definitions["Thing"], { type: "object", description: "a thing" });
  assert.ok(paths["/api/v1/pods"] !== undefined && definitions["io.k8s.api.core.v1.Pod"] !== undefined);

  isUp = false;
  await rig.clock.advance(30_000);
  await rig.untilCondition({ status: "False", reason: "FailedDiscoveryCheck" });
  assert.partialDeepStrictEqual(await group(), { versions: [{ freshness: "Stale", resources: [{ resource: "things" }] }] });
  assert.equal((await rig.call("GET", path)).status, 503);
  isUp = true;
  await rig.clock.advance(5);
  await rig.untilCondition({ status: "True", reason: "Passed" });
});

test("[AGG6] what an extension server goes on saying is passed on as it is said, until the client has gone", async () => {
  const said = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  const answer: Transport = async ({ signal }) => {
    signal?.addEventListener("abort", () => ended.resolve());
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from("first");
        yield Buffer.from(await said.promise);
      })(),
    };
  };
  await using rig = await startRig({ answer });
  await rig.api.send("POST", apiServices, remoteService);
  await rig.untilCondition({ status: "True" });
  const gone = new AbortController();
  const response = await rig.server.transport()({ method: "GET", path: `${path}?watch=true`, headers: {}, signal: gone.signal });
  const body = response.body[Symbol.asyncIterator]();
  assert.equal(String((await body.next()).value), "first");
  said.resolve("second");
  assert.equal(String((await body.next()).value), "second");
  gone.abort();
  await ended.promise;
});

test("[AGG7] an extension server that does not answer is not waited for longer than a minute, or than the client wants to", async () => {
  for (const [query, ms] of [
    ["", 60_000],
    ["?timeout=2s", 2000],
  ] as const) {
    await using rig = await startRig({
      answer: ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    });
    await rig.api.send("POST", apiServices, remoteService);
    await rig.untilCondition({ status: "True" });
    const call = rig.call("GET", `${path}${query}`);
    await rig.clock.advance(ms);
    const { status, text } = await call;
    assert.equal(status, 504);
    assert.match(text, /Timeout: request did not complete within the allotted timeout/);
  }
});

interface RigOptions {
  readonly answer?: Transport;
  readonly isUp?: () => boolean;
  readonly authorize?: "rbac";
}

/** A server with an extension server behind the service `ext/server`, in the same process. Without options there is none. */
async function startRig(options: RigOptions = {}) {
  const clock = new ManualClock();
  const hasExtension = Object.keys(options).length > 0;
  const inProcess = new Map(hasExtension ? [["https://server.ext.svc", extensionServer(options)]] : []);
  const { authorize } = options;
  const server = createApiServer({
    storage: createMemoryStorage({ clock }),
    clock,
    random: seededRandom(1),
    extensions: { inProcess },
    ...(authorize === undefined ? {} : { authorize }),
  });
  const api = new LocalApi(server.transport(), "test");
  await api.send("POST", "/api/v1/namespaces", { metadata: { name: "ext" } });
  server.use(await LocalApiServices.start(server, builtinPriorities));
  const until = (name: string, isSo: (service: JsonObject | undefined) => boolean): Promise<void> => untilStored(server, name, isSo);
  return {
    server,
    api,
    clock,
    until,
    untilCondition: (wanted: JsonObject) => until("v1.things.example.com", (service) => isSubset(wanted, conditionOf(service ?? {}))),
    names: async (): Promise<readonly string[]> =>
      objectsField(await api.send("GET", apiServices), "items").map((each) => stringField(objectField(each, "metadata"), "name")),
    call: (method: TransportRequest["method"], where: string, more: Call = {}) => call(server, method, where, more),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Says what it serves, and leaves all else to the test. */
function extensionServer({ answer, isUp = () => true }: RigOptions): Transport {
  const documents = new Map<string, unknown>([
    [
      "/apis/things.example.com/v1",
      {
        kind: "APIResourceList",
        groupVersion: "things.example.com/v1",
        resources: [{ name: "things", singularName: "thing", namespaced: true, kind: "Thing", verbs: ["get"] }],
      },
    ],
    ["/openapi/v3", { paths: { "apis/things.example.com/v1": { serverRelativeURL: "/openapi/v3/x" } } }],
    [
      "/openapi/v2",
      {
        paths: { "/apis/things.example.com/v1/things": { get: { schema: { $ref: "#/definitions/Thing" } } }, "/version": {} },
        definitions: { Thing: { type: "object", description: "a thing" } },
      },
    ],
  ]);
  return async (request) => {
    if (!isUp()) throw Object.assign(new Error("down"), { code: "ECONNREFUSED", address: "192.0.2.7", port: 1 });
    const document = documents.get(request.path);
    if (document !== undefined) return { status: 200, headers: {}, body: pieces(JSON.stringify(document)) };
    const { status, headers } = textResponse(404, "");
    return answer?.(request) ?? { status, headers, body: pieces() };
  };
}

interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly user?: Parameters<ApiServer["transport"]>[0];
}

async function call(server: ApiServer, method: TransportRequest["method"], where: string, { headers = {}, body, user }: Call) {
  const response = await server.transport(user)({ method, path: where, headers, body: body === undefined ? undefined : Buffer.from(body) });
  const received: Uint8Array[] = [];
  for await (const piece of response.body) received.push(piece);
  return { status: response.status, headers: response.headers, text: String(Buffer.concat(received)) };
}

/** Resolves when the APIService of a name is as it should be. */
function untilStored({ registry }: ApiServer, name: string, isSo: (service: JsonObject | undefined) => boolean): Promise<void> {
  const key = `/registry/apiregistration.k8s.io/apiservices/${name}`;
  const { storage } = registry;
  const isNow = (): boolean => isSo(parsed(storage.get(key)?.bytes));
  return new Promise((resolve) => {
    if (isNow()) return resolve();
    const subscription = storage.subscribe(key, storage.currentRevision, () => {
      if (!isNow()) return;
      subscription[Symbol.dispose]();
      resolve();
    });
  });
}

function parsed(bytes: Uint8Array | undefined): JsonObject | undefined {
  const value = bytes === undefined ? undefined : parseJsonBytes(bytes);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

function conditionOf(service: Readonly<Record<string, unknown>>): JsonObject {
  return objectsField(objectField(service, "status"), "conditions")[0] ?? {};
}

function isSubset(wanted: JsonObject, present: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => present[name] === value);
}

function serviceName(groupVersion: string): string {
  const [version = "", group = ""] = groupVersion.split("/").toReversed();
  return `${version}.${group}`;
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const crd = {
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Widget", plural: "widgets" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
