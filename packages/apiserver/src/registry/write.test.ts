import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kaji/core/testing";
import type { AdmissionPlugin } from "../admission.ts";
import { startTestServer, widgetKind, widgetStrategy, widgets } from "../testing/widgets.ts";

const mergePatch = { "content-type": "application/merge-patch+json" };
const small = { metadata: { name: "small" }, spec: { size: 1 } };

test("[WRITE1] a new object gets its identity from the server, whatever the client says", async () => {
  await using api = startTestServer();
  const claimed = { uid: "mine", creationTimestamp: "2000-01-01T00:00:00Z", generation: 7, deletionTimestamp: "2000-01-01T00:00:00Z" };
  const { status, json } = await api.call("POST", widgets, { ...small, metadata: { name: "small", ...claimed }, status: { ready: true } });
  assert.equal(status, 201);
  assert.partialDeepStrictEqual(json, {
    kind: "Widget",
    apiVersion: "example.com/v1",
    metadata: { name: "small", namespace: "default", generation: 1, creationTimestamp: "2026-01-01T00:00:00Z" },
  });
  const metadata = Object(json["metadata"]);
  assert.match(metadata.uid, /^[0-9a-f-]{36}$/);
  assert.equal(metadata.deletionTimestamp, undefined);
  assert.equal(json["status"], undefined);
});

test("[WRITE2] a name is taken once", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  const { status, json } = await api.call("POST", widgets, small);
  assert.equal(status, 409);
  assert.partialDeepStrictEqual(json, { reason: "AlreadyExists", message: 'widgets.example.com "small" already exists' });
});

test("[WRITE3] where a prefix is given too, a name that is taken is told as one that could not be generated", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  const { status, json } = await api.call("POST", widgets, { metadata: { name: "small", generateName: "s-" } });
  assert.equal(status, 409);
  assert.partialDeepStrictEqual(json, {
    message: 'widgets.example.com "small" already exists, the server was not able to generate a unique name for the object',
    details: { retryAfterSeconds: 1 },
  });
});

test("[WRITE3] a generated name has the prefix and five letters more, and another is tried when it is taken", async () => {
  await using api = startTestServer();
  const names = new Set<string>();
  for (let count = 0; count < 20; count++) {
    const { json } = await api.call("POST", widgets, { metadata: { generateName: "w-" } });
    names.add(Object(json["metadata"]).name);
  }
  assert.equal(names.size, 20);
  for (const name of names) assert.match(name, /^w-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test("[WRITE3] the object is changed by admission once, however many names are taken", async () => {
  let [changes, checks] = [0, 0];
  const counting: AdmissionPlugin = {
    name: "counting",
    mutate: ({ object }) => ({ ...object, spec: { size: ++changes } }),
    validate: () => void checks++,
  };
  // Every name ends in the same letters.
  const random = { ...seededRandom(1), next: () => 0 };
  await using api = startTestServer({ admission: [counting], random });
  await api.call("POST", widgets, { metadata: { generateName: "w-" } });
  const { status, message } = await api.call("POST", widgets, { metadata: { generateName: "w-" } });
  assert.equal(status, 409);
  assert.match(message, /the server was not able to generate a unique name for the object/);
  assert.deepEqual([changes, checks], [2, 1 + 8]);
});

test("[WRITE4] an update from an old state is refused, one from the present state accepted", async () => {
  await using api = startTestServer();
  const created = (await api.call("POST", widgets, small)).json;
  const changed = { ...created, spec: { size: 2 } };
  assert.equal((await api.call("PUT", `${widgets}/small`, changed)).status, 200);
  const { status, message } = await api.call("PUT", `${widgets}/small`, { ...created, spec: { size: 3 } });
  assert.equal(status, 409);
  assert.match(message, /the object has been modified; please apply your changes to the latest version and try again/);
});

test("[WRITE1] a PUT in another namespace is refused for that, even where there is no such object", async () => {
  await using api = startTestServer();
  const { status, message } = await api.call("PUT", `${widgets}/small`, { metadata: { name: "small", namespace: "other" } });
  assert.deepEqual([status, message], [400, "the namespace of the provided object does not match the namespace sent on the request"]);
});

test("[WRITE4] revision 0 is none, which a kind that insists on one refuses however it is written", async () => {
  await using api = startTestServer({ kinds: [widgetKind({ strategy: { ...widgetStrategy, unconditionalUpdate: false } })] });
  await api.call("POST", widgets, small);
  const zero = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "small", resourceVersion: "0" }, spec: { size: 1 } };
  const patchTypes = ["application/merge-patch+json", "application/apply-patch+yaml"];
  const answers = [
    await api.call("PUT", `${widgets}/small`, zero),
    ...(await Promise.all(patchTypes.map((type) => api.call("PATCH", `${widgets}/small?fieldManager=me`, zero, { "content-type": type })))),
  ];
  for (const { status, message } of answers) {
    assert.deepEqual(
      [status, message],
      [422, 'widgets.example.com "small" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
    );
  }
});

test("[WRITE1] a new object names no revision; 0 and what is no number are none", async () => {
  await using api = startTestServer();
  const create = (name: string, resourceVersion: string): ReturnType<typeof api.call> =>
    api.call("POST", widgets, { metadata: { name, resourceVersion } });
  for (const [index, revision] of ["", "0", "00", "x", "-1"].entries()) {
    const { status, json } = await create(`w${index}`, revision);
    assert.equal(status, 201, revision);
    assert.match(String(Object(json["metadata"]).resourceVersion), /^[1-9]\d*$/);
    assert.deepEqual((await api.call("GET", `${widgets}/w${index}`)).json, json);
  }
  const { status, message } = await create("other", "7");
  assert.deepEqual([status, message], [500, "resourceVersion should not be set on objects to be created"]);
  assert.equal((await api.call("POST", widgets, { metadata: { name: "other", resourceVersion: "7", labels: { "": "" } } })).status, 422);
});

test("[WRITE1] a generation below 0 is refused", async () => {
  await using api = startTestServer({ kinds: [widgetKind({ strategy: { ...widgetStrategy, generationOf: "none" } })] });
  const { status, message } = await api.call("POST", widgets, { metadata: { name: "a", generation: -1 } });
  assert.equal(status, 422);
  assert.match(message, /metadata\.generation: Invalid value: -1: must be greater than or equal to 0$/);
});

test("[WRITE5] a write that changes nothing keeps the resource version and tells nobody", async () => {
  await using api = startTestServer();
  const created = (await api.call("POST", widgets, small)).json;
  const again = await api.call("PATCH", `${widgets}/small`, { spec: { size: 1 } }, mergePatch);
  assert.deepEqual(again.json["metadata"], created["metadata"]);
  const { revision } = { revision: api.server.registry.storage.currentRevision };
  await api.call("PUT", `${widgets}/small`, created);
  assert.equal(api.server.registry.storage.currentRevision, revision);
});

test("[WRITE6] the generation counts changes of intent: not those of metadata or status", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  const generation = async (path: string, patch: unknown): Promise<unknown> =>
    Object((await api.call("PATCH", path, patch, mergePatch)).json["metadata"]).generation;
  assert.equal(await generation(`${widgets}/small`, { metadata: { labels: { a: "b" } } }), 1);
  assert.equal(await generation(`${widgets}/small/status`, { status: { ready: true } }), 1);
  assert.equal(await generation(`${widgets}/small`, { spec: { size: 2 } }), 2);
});

test("[WRITE7] the object's path takes no status, and the status path takes nothing else", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  await api.call("PATCH", `${widgets}/small`, { status: { ready: true } }, mergePatch);
  await api.call("PATCH", `${widgets}/small/status`, { spec: { size: 9 }, status: { ready: false } }, mergePatch);
  const { json } = await api.call("GET", `${widgets}/small`);
  assert.deepEqual([json["spec"], json["status"]], [{ size: 1 }, { ready: false }]);
});

test("[WRITE8] a dry run goes all the way and stores nothing", async () => {
  await using api = startTestServer();
  const { status } = await api.call("POST", `${widgets}?dryRun=All`, small);
  assert.equal(status, 201);
  assert.equal((await api.call("GET", `${widgets}/small`)).status, 404);
});

test("[WRITE9] concurrent patches all take effect", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  const patches = Array.from({ length: 50 }, (_, index) =>
    api.call("PATCH", `${widgets}/small`, { spec: { [`k${index}`]: index } }, mergePatch),
  );
  for (const { status } of await Promise.all(patches)) assert.equal(status, 200);
  const { json } = await api.call("GET", `${widgets}/small`);
  assert.equal(Object.keys(Object(json["spec"])).length, 51);
});

test("[WRITE10] fields the schema does not know are dropped: with a warning, in silence, or refused", async () => {
  await using api = startTestServer();
  const odd = { metadata: { name: "odd" }, bogus: 1 };
  const warned = await api.call("POST", `${widgets}?dryRun=All`, odd);
  assert.deepEqual([warned.json["bogus"], warned.headers["warning"]], [undefined, [String.raw`299 - "unknown field \"bogus\""`]]);
  const ignored = await api.call("POST", `${widgets}?dryRun=All&fieldValidation=Ignore`, odd);
  assert.equal(ignored.headers["warning"], undefined);
  const strict = await api.call("POST", `${widgets}?fieldValidation=Strict`, odd);
  assert.equal(strict.status, 400);
  assert.equal(
    strict.json["message"],
    'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "bogus"',
  );
});

test("[WRITE11] scale reads and writes the replicas alone", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, small);
  const scale = (await api.call("GET", `${widgets}/small/scale`)).json;
  assert.partialDeepStrictEqual(scale, { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 1 } });
  assert.deepEqual((await api.call("PATCH", `${widgets}/small/scale`, { spec: { replicas: 4 } }, mergePatch)).json["spec"], {
    replicas: 4,
  });
  assert.deepEqual((await api.call("GET", `${widgets}/small`)).json["spec"], { size: 4 });
});

test("[WRITE11] the table of a scale shows the replicas that are wanted and those that are there", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "small" }, spec: { size: 3 } });
  const { json } = await api.call("GET", `${widgets}/small/scale`, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
  const { columnDefinitions, rows } = JSON.parse(JSON.stringify(json));
  assert.deepEqual(
    columnDefinitions.map(({ name }: { readonly name: string }) => name),
    ["Name", "Desired", "Available", "Age"],
  );
  assert.deepEqual(rows[0].cells, ["small", 3, 0, "0s"]);
});

test("[WRITE5] a scale that is what it was leaves the object and the times of its owners as they are", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { ...small, spec: { size: 3 } });
  const resized = await api.call("PATCH", `${widgets}/small?fieldManager=other`, { spec: { size: 1 } }, mergePatch);
  await api.call("PUT", `${widgets}/small/scale`, { metadata: { name: "small" }, spec: { replicas: 1 } });
  assert.deepEqual((await api.call("GET", `${widgets}/small`)).json, resized.json);
});

test("[WRITE8] the dry run of a change that ends an object shows it as the change does: as it was sent, not as it would be stored", async () => {
  const { schema } = widgetKind().versions[0] ?? assert.fail("widgets have a version");
  await using api = startTestServer({ kinds: [widgetKind({ schema: { ...schema, kept: ({ spec: _spec, ...object }) => object } })] });
  await api.call("POST", widgets, { metadata: { name: "small", finalizers: ["example.com/hold"] } });
  await api.call("DELETE", `${widgets}/small`);
  const released = { metadata: { name: "small" }, spec: {} };
  const dry = (await api.call("PUT", `${widgets}/small?dryRun=All`, released)).json;
  assert.deepEqual(dry["spec"], {});
  assert.deepEqual((await api.call("PUT", `${widgets}/small`, released)).json, dry);
});

test("[WRITE12] PUT creates only where the kind allows it", async () => {
  await using closed = startTestServer();
  assert.equal((await closed.call("PUT", `${widgets}/small`, small)).status, 404);
  await using open = startTestServer({ kinds: [widgetKind({ strategy: { ...widgetStrategy, createOnUpdate: true } })] });
  assert.equal((await open.call("PUT", `${widgets}/small`, small)).status, 201);
});

test("[AUTHZ7] whoever may change objects but not create them does not make one by PUT or by an apply", async () => {
  const kind = widgetKind({ strategy: { ...widgetStrategy, createOnUpdate: true } });
  let mayCreate = false;
  await using api = startTestServer({
    kinds: [kind],
    authorize: (_user, { verb }) => ({ allowed: mayCreate || verb !== "create", reason: "" }),
  });
  const applied = { ...small, apiVersion: "example.com/v1", kind: "Widget" };
  const apply = { "content-type": "application/apply-patch+yaml" };
  const attempts = (): Promise<readonly unknown[]> =>
    Promise.all([
      api.call("PUT", `${widgets}/small?dryRun=All`, small),
      api.call("PATCH", `${widgets}/small?fieldManager=me&dryRun=All`, applied, apply),
    ]);
  const message =
    'widgets.example.com "small" is forbidden: User "system:admin" cannot create resource "widgets" in API group "example.com" in the namespace "default"';
  for (const attempt of await attempts()) assert.partialDeepStrictEqual(attempt, { status: 403, json: { message } });
  mayCreate = true;
  for (const attempt of await attempts()) assert.partialDeepStrictEqual(attempt, { status: 201 });
});

test("of thousands of owners that all control an object, no more is said than memory holds", async () => {
  await using api = startTestServer();
  const ownerReferences = Array.from({ length: 4000 }, (_, index) => {
    return { apiVersion: "v1", kind: "Pod", name: `p${index}`, uid: `${index}`, controller: true };
  });
  const { status, json } = await api.call("POST", widgets, { ...small, metadata: { name: "owned", ownerReferences } });
  assert.equal(status, 422);
  assert.match(
    JSON.stringify(json["message"]),
    /Only one reference can have Controller set to true\. Found \\"true\\" in references for Pod\/p0 and Pod\/p1/,
  );
});
