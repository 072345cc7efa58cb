import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason, resource, resourcePath } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import type { DynamicObject, Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Pod, Secret } from "@kaji/types/core/v1";
import { KubeClient } from "./kube-client.ts";
import type { Answer } from "./response/answer.ts";
import { scriptedTransport, sentJson } from "./testing/scripted-transport.ts";
import { TransportError } from "./transport-error.ts";

const metadata = { name: "a", namespace: "n" };

test("[CL48] a client as another user says so with each request, and is otherwise the same", async () => {
  const { transport, requests } = scriptedTransport(() => ({ body: { apiVersion: "v1", kind: "ConfigMap", metadata } }));
  const client = new KubeClient(transport, { fieldManager: "me" });
  await client.as("system:serviceaccount:n:deployer").apply(ConfigMap, { metadata });
  await client.apply(ConfigMap, { metadata });
  const [as, plain] = requests;
  assert.equal(as?.path, plain?.path);
  assert.deepEqual(as?.headers, { ...plain?.headers, "impersonate-user": "system:serviceaccount:n:deployer" });
});

test("[CL35] a caller may be given the answer to a write as it came, and nothing is parsed before it looks", async () => {
  const text = '{ "kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","resourceVersion":"1"} }';
  const { transport } = scriptedTransport(() => ({ body: text }));
  const client = new KubeClient(transport);
  const given: Answer[] = [];
  const readAnswer = (answer: Answer): string => `answer ${given.push(answer)}`;
  const returned: unknown[] = [
    await client.create(ConfigMap, { metadata }, { readAnswer }),
    await client.update(ConfigMap, { metadata }, { readAnswer }),
    await client.mergePatch(ConfigMap, metadata, {}, { readAnswer }),
    await client.apply(ConfigMap, { metadata }, { fieldManager: "me", readAnswer }),
  ];
  assert.deepEqual(returned, ["answer 1", "answer 2", "answer 3", "answer 4"]);
  for (const { bytes } of given) assert.equal(Buffer.from(bytes).toString(), text);
  const [first] = given;
  assert.deepEqual(first?.value, JSON.parse(text));
  assert.equal(first?.value, first?.value);
});

test("[CL35] an answer that is not JSON is refused when somebody looks", async () => {
  const { transport } = scriptedTransport(() => ({ body: "<html>" }));
  const client = new KubeClient(transport);
  let given: Answer | undefined;
  await client.create(ConfigMap, { metadata }, { readAnswer: (answer) => (given = answer) });
  assert.throws(
    () => given?.value,
    (error) => error instanceof TransportError && error.reason === "Malformed",
  );
});

test("[CL40] the client's defaults go with every write, and a call's own options win", async () => {
  const { transport, requests } = scriptedTransport(() => ({ body: { metadata } }));
  const client = new KubeClient(transport, { fieldManager: "me", dryRun: true, fieldValidation: "Strict", userAgent: "test/1" });
  await client.create(ConfigMap, { metadata });
  await client.update(ConfigMap, { metadata }, { dryRun: false, fieldManager: "you", fieldValidation: "Warn" });
  await client.delete(ConfigMap, metadata);
  assert.deepEqual(
    requests.map(({ method, path }) => `${method} ${path}`),
    [
      "POST /api/v1/namespaces/n/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict",
      "PUT /api/v1/namespaces/n/configmaps/a?fieldManager=you&fieldValidation=Warn",
      "DELETE /api/v1/namespaces/n/configmaps/a",
    ],
  );
  assert.deepEqual(sentJson(requests[2] ?? assert.fail()), { apiVersion: "v1", kind: "DeleteOptions", dryRun: ["All"] });
  assert.equal(requests[0]?.headers["user-agent"], "test/1");
});

test("[CL41] each patch says what it is", async () => {
  const { transport, requests } = scriptedTransport(() => ({ body: { metadata } }));
  const client = new KubeClient(transport, { fieldManager: "me" });
  await client.mergePatch(Deployment, metadata, { spec: { replicas: null } });
  await client.jsonPatch(Deployment, metadata, [{ op: "remove", path: "/spec/replicas" }]);
  await client.strategicPatch(Deployment, metadata, {
    spec: { template: { spec: { $retainKeys: ["containers"], containers: [{ name: "a", $patch: "delete" }] } } },
  });
  await client.apply(Deployment, { metadata, spec: { replicas: 2 } }, { force: true });
  assert.deepEqual(
    requests.map(({ headers }) => headers["content-type"]),
    [
      "application/merge-patch+json",
      "application/json-patch+json",
      "application/strategic-merge-patch+json",
      "application/apply-patch+yaml",
    ],
  );
  assert.equal(requests[3]?.path, "/apis/apps/v1/namespaces/n/deployments/a?fieldManager=me&force=true");
  assert.deepEqual(sentJson(requests[3] ?? assert.fail()), { metadata, spec: { replicas: 2 }, apiVersion: "apps/v1", kind: "Deployment" });
});

test("[CL42] what cannot succeed is a mistake, not a request", async () => {
  const { transport, requests } = scriptedTransport([]);
  const client = new KubeClient(transport);
  await assert.rejects(new KubeClient(transport).apply(ConfigMap, { metadata }), /apps|v1, Kind=ConfigMap: applying needs a fieldManager/);
  await assert.rejects(new KubeClient(transport).create(ConfigMap, { metadata: { name: "a" } }), /metadata.namespace is required/);
  await assert.rejects(new KubeClient(transport).deleteCollection(ConfigMap), /a namespace is required/);
  const unseen = {} as ConfigMap;
  for (const write of [
    client.create(ConfigMap, unseen),
    client.update(ConfigMap, unseen),
    client.apply(ConfigMap, unseen, { fieldManager: "me" }),
  ]) {
    await assert.rejects(write, /v1, Kind=ConfigMap: the object has no metadata/);
  }
  assert.equal(requests.length, 0);
});

test("[CL43] custom and dynamic kinds are written and read like built-in ones", async () => {
  const Backup = defineResource({ group: "example.com", version: "v1", kind: "Backup", spec: z.object({ keep: z.int32().default(7) }) });
  const { transport, requests } = scriptedTransport((request) => ({
    body: Object.assign({ metadata, spec: { keep: 7 } }, sentJson(request)),
  }));
  const client = new KubeClient(transport, { fieldManager: "me" });
  const created = await client.create(Backup, { metadata, spec: {} });
  await client.update(Backup, created);
  const keep: number = (await client.get(Backup, metadata)).spec.keep;
  assert.equal(keep, 7);
  await client.apply(Backup, { metadata, spec: {} });
  // @ts-expect-error -- a Backup has no such field
  await client.apply(Backup, { metadata, spec: { kept: 1 } });
  // @ts-expect-error -- nor one of that type
  await client.mergePatch(Backup, metadata, { spec: { keep: "7" } });
  const Dynamic = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Backup", plural: "backups", scope: "Namespaced" });
  await client.apply(Dynamic, { metadata, spec: { anything: 1 } });
  assert.ok(requests.every(({ path }) => path.startsWith("/apis/example.com/v1/namespaces/n/backups")));
});

test("[CL7] a request that is not answered in time fails, and is aborted", async () => {
  const clock = new ManualClock();
  const { transport } = scriptedTransport(
    ({ signal }) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const client = new KubeClient(transport, { clock, timeoutMs: 5000 });
  const reading = client.get(Pod, metadata);
  const watching = client.watch(Pod).next();
  reading.catch(() => {});
  watching.catch(() => {});
  await clock.advance(5000);
  for (const failed of [reading, watching]) {
    await assert.rejects(
      failed,
      (error) => error instanceof TransportError && error.reason === "TimedOut" && /no answer within 5 s \(GET/.test(error.message),
    );
  }
  assert.equal(clock.pending, 0);
});

test("[CL7] a response that begins and does not end in time fails too, and so does one whose caller has enough of it", async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const stalling: Transport = async ({ signal }) => ({ status: 200, headers: {}, body: stalledBody(signal) });
  const client = new KubeClient(stalling, { clock, timeoutMs: 5000 });
  const given = [client.get(Pod, metadata), client.get(Pod, metadata, { signal: abort.signal })] as const;
  const failed = Promise.allSettled(given);
  await clock.advance(1000);
  abort.abort(new Error("enough"));
  await clock.advance(4000);
  const [late, left] = (await failed).map((each) => (each.status === "rejected" ? String(each.reason) : each.status));
  assert.match(late ?? "", /within 5 s/);
  assert.match(left ?? "", /enough/);
  assert.equal(clock.pending, 0);
});

/** The beginning of a body, and nothing more until the request is aborted. */
async function* stalledBody(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield Buffer.from("{");
  await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

test("[CL8] a watch that has begun may take as long as it likes", async () => {
  const clock = new ManualClock();
  const event = { type: "ADDED", object: { metadata } };
  const { transport } = scriptedTransport([{ body: [`${JSON.stringify(event)}\n`, `${JSON.stringify(event)}\n`] }]);
  const watch = new KubeClient(transport, { clock }).watch(Pod);
  await watch.next();
  assert.equal(clock.pending, 0);
  assert.deepEqual((await watch.next()).value, event);
});

test("[CL9] an aborted signal ends a watch with its reason, even where the body just ends", async () => {
  const abort = new AbortController();
  const { transport } = scriptedTransport([{ body: [`{"type":"ADDED","object":{"metadata":{}}}\n`] }]);
  const watch = new KubeClient(transport).watch(Pod, { signal: abort.signal });
  await watch.next();
  abort.abort(new Error("enough"));
  await assert.rejects(watch.next(), /enough/);
});

test("[CL14] an answer that is not JSON is malformed, and its text is in no message", async () => {
  const { transport } = scriptedTransport(() => ({ body: '{"data":{"password":"c2VjcmV0' }));
  await assert.rejects(new KubeClient(transport).get(Secret, metadata), (error) => {
    assert.ok(error instanceof TransportError && error.reason === "Malformed");
    assert.ok(!`${error.stack} ${String(error.cause)}`.includes("c2Vj"));
    return true;
  });
});

test("[CL15] a list without items, from a server that is none, is malformed; null items are none", async () => {
  const { transport } = scriptedTransport([{ body: { kind: "APIGroupList", groups: [] } }, { body: { metadata: {}, items: null } }]);
  const client = new KubeClient(transport);
  await assert.rejects(client.list(Pod), (error) => error instanceof TransportError && error.reason === "Malformed");
  assert.deepEqual((await client.list(Pod)).items, []);
});

test("[CL16] only the first page says which version is meant; the others go on where it ended", async () => {
  const page = (names: readonly string[], next: string): object => ({
    body: { metadata: { resourceVersion: "5", continue: next }, items: names.map((name) => ({ metadata: { name } })) },
  });
  const { transport, requests } = scriptedTransport([page(["a"], "t1"), page([], "t2"), page(["b"], "")]);
  const names: string[] = [];
  for await (const pod of new KubeClient(transport).listAll(Pod, {
    resourceVersion: "5",
    resourceVersionMatch: "Exact",
    namespace: "n",
    limit: 1,
  })) {
    names.push(pod.metadata.name);
  }
  assert.deepEqual(names, ["a", "b"]);
  assert.deepEqual(
    requests.map(({ path }) => path.split("?")[1]),
    ["limit=1&resourceVersion=5&resourceVersionMatch=Exact", "limit=1&continue=t1", "limit=1&continue=t2"],
  );
});

test("[CL16] pages whose version is forgotten end with Expired", async () => {
  const expired = { kind: "Status", apiVersion: "v1", metadata: { continue: "other" }, status: "Failure", reason: "Expired", code: 410 };
  const first = { body: { metadata: { continue: "t1" }, items: [{ metadata }] } };
  const { transport } = scriptedTransport([first, { status: 410, body: expired }]);
  const all = new KubeClient(transport).listAll(Pod);
  await all.next();
  await assert.rejects(all.next(), (error) => isReason(error, "Expired"));
});

test("[CL17] integers of 64 bits survive reading and writing", async () => {
  const { transport, requests } = scriptedTransport([
    { body: '{"metadata":{"name":"a","namespace":"n"},"n":9007199254740993}' },
    { body: { metadata } },
  ]);
  const client = new KubeClient(transport);
  const Dynamic = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Big", plural: "bigs", scope: "Namespaced" });
  await client.update(Dynamic, await client.get(Dynamic, metadata));
  assert.match(Buffer.from(requests[1]?.body ?? []).toString(), /"n":9007199254740993/);
});

test("[CL21] warnings of the server reach the callback, once each, with the request that was answered so", async () => {
  const told: (readonly string[])[] = [];
  const { transport } = scriptedTransport(() => ({ headers: { warning: '299 - "old version"' }, body: { metadata } }));
  const client = new KubeClient(transport, { onWarning: (text, { method, path }) => told.push([text, method, path]) });
  await client.get(Pod, metadata);
  await client.get(Pod, metadata);
  assert.deepEqual(told, [["old version", "GET", resourcePath(Pod, metadata)]]);
});

test("[CL21] a callback that throws does not make what the server has done a failure; it is warned of", async (t) => {
  const { transport } = scriptedTransport([{ status: 201, headers: { warning: '299 - "old version"' }, body: { kind: "Pod", metadata } }]);
  const fail = (): never => {
    throw new Error("no disk");
  };
  const client = new KubeClient(transport, { onWarning: fail });
  const { promise: warned, resolve } = Promise.withResolvers<string>();
  const onWarning = ({ name, message }: Error): void => void (name === "KubernetesWarning" && resolve(message));
  process.on("warning", onWarning);
  t.after(() => process.off("warning", onWarning));
  assert.equal((await client.create(Pod, { metadata })).metadata.name, metadata.name);
  assert.equal(await warned, "old version (onWarning threw: no disk)");
});

test("[CL44] logs are lines, wherever the pieces end", async () => {
  const { transport, requests } = scriptedTransport([{ body: ["one\ntw", "o\nthree"] }]);
  const lines: string[] = [];
  for await (const line of new KubeClient(transport).logs("n/a", { container: "c", follow: true, tailLines: 3 })) lines.push(line);
  assert.deepEqual(lines, ["one", "two", "three"]);
  assert.equal(requests[0]?.path, "/api/v1/namespaces/n/pods/a/log?container=c&follow=true&tailLines=3");
});

test("[CL45] disposing of a client closes its transport", async () => {
  let closed = 0;
  const transport = Object.assign(scriptedTransport([]).transport, {
    async [Symbol.asyncDispose]() {
      closed++;
    },
  });
  await new KubeClient(transport)[Symbol.asyncDispose]();
  assert.equal(closed, 1);
});

test("[CL46] what an informer asks for is asked for once, and may take its time", async () => {
  const clock = new ManualClock();
  const busy = { status: 429, headers: { "retry-after": "1" }, body: "later" };
  const { transport, requests } = scriptedTransport([busy, { body: ["{}", "{}"] }]);
  const { listerWatcher } = new KubeClient(transport, { clock });
  const { signal } = new AbortController();
  const source = listerWatcher(Pod, { namespace: "n", metadataOnly: true });
  await assert.rejects(
    source.list({ limit: 5, signal }),
    (error) => isReason(error, "TooManyRequests") && error.details?.retryAfterSeconds === 1,
  );
  const watching = source.watch({ resourceVersion: "7", allowWatchBookmarks: true, timeoutSeconds: 300, signal });
  assert.equal(clock.pending, 0);
  const pieces: string[] = [];
  for await (const piece of await watching) pieces.push(Buffer.from(piece).toString());
  assert.deepEqual(pieces, ["{}", "{}"]);
  assert.deepEqual(
    requests.map(({ path, headers }) => [path, headers["accept"]]),
    [
      ["/api/v1/namespaces/n/pods?limit=5", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"],
      [
        "/api/v1/namespaces/n/pods?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
      ],
    ],
  );
});

test("[CL47] what the server asks to repeat is repeated, within the time of the request", async () => {
  const clock = new ManualClock();
  const busy = { status: 429, headers: { "retry-after": "1" } };
  const { transport, requests } = scriptedTransport([busy, busy, { body: { metadata } }]);
  const reading = new KubeClient(transport, { clock }).get(Pod, metadata);
  await clock.advance(3000);
  await reading;
  assert.equal(requests.length, 3);
});
