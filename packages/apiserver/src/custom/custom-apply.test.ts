import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomAnswer, CustomServer } from "../testing/custom-server.ts";

const things = "/apis/example.com/v1/namespaces/default/things";
const applyType = { "content-type": "application/apply-patch+yaml" };

test("[SSA35] a null that is applied where none may be is refused, though one that is sent is dropped", async () => {
  await using server = await startThings();
  const { code, body } = await apply(server, { tags: null });
  assert.deepEqual([code, causesOf(body)], [422, ['spec.tags: Invalid value: "null": spec.tags in body must be of type object: "null"']]);
  const sent = await server.call("POST", things, thing({ tags: null }));
  assert.deepEqual([sent.code, sent.body["spec"]], [201, { size: 3 }]);
});

test("[SSA35] an apply that would leave null where all entries were taken away is refused", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { tags: { a: "x" } })).code, 201);
  const { code, body } = await apply(server, { tags: {} });
  assert.deepEqual([code, causesOf(body)], [422, ['spec.tags: Invalid value: "null": spec.tags in body must be of type object: "null"']]);
});

test("[SSA35] nulls that are applied stay where they may, give way to defaults, and are not kept of what has no type", async () => {
  await using server = await startThings();
  const { code, body } = await apply(server, { note: null, size: null, any: null });
  assert.deepEqual([code, body["spec"]], [201, { note: null, size: 3 }]);
});

test("[SSA36] what was applied in one version of a custom kind is taken away in another as it would be in the same", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { tags: { a: "x" } }, "v2")).code, 201);
  const emptied = await apply(server, {}, "v1");
  assert.deepEqual([emptied.code, emptied.body["spec"]], [200, { size: 3 }]);
});

test("[SSA36] an apply that leaves null in another version is refused, too", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { tags: { a: "x" } }, "v2")).code, 201);
  const { code, body } = await apply(server, { tags: {} }, "v1");
  assert.deepEqual([code, causesOf(body)], [422, ['spec.tags: Invalid value: "null": spec.tags in body must be of type object: "null"']]);
});

test("[SSA37] an apply that changes nothing writes nothing, in a version that has defaults of its own, too", async () => {
  await using server = await startThings();
  await apply(server, { note: "x" }, "v2");
  const { body: first } = await apply(server, { note: "x" }, "v2");
  assert.deepEqual((await apply(server, { note: "x" }, "v2")).body, first);
  const other = await server.call("PATCH", `${things.replace("/v1/", "/v2/")}/a?fieldManager=other`, thing({ note: "x" }, "v2"), applyType);
  const { generation } = Object(other.body["metadata"]);
  assert.deepEqual([other.code, generation], [200, Object(first["metadata"]).generation]);
});

test("[SSA27] what was applied in a version that is not served any more has its owner still", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { note: "x" }, "v1")).code, 201);
  const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
  const unserved = [{ op: "replace", path: "/spec/versions/0/served", value: false }];
  assert.equal((await server.call("PATCH", definition, unserved, { "content-type": "application/json-patch+json" })).code, 200);
  assert.equal((await server.call("GET", `${things}/a`)).code, 404);
  const other = `${things.replace("/v1/", "/v2/")}/a?fieldManager=other`;
  const refused = await server.call("PATCH", other, thing({ note: "y" }, "v2"), applyType);
  assert.deepEqual([refused.code, causesOf(refused.body)], [409, ['.spec.note: conflict with "me"']]);
  assert.deepEqual((await apply(server, {}, "v2")).body["spec"], { size: 3 });
});

test("[SSA27] what is owned in a version that is no more refuses whoever applies, until another write leaves no owner", async () => {
  await using server = await startThings({ type: "string" });
  assert.equal((await apply(server, { note: "x" }, "v1")).code, 201);
  const v2 = `${things.replace("/v1/", "/v2/")}/a`;
  const mergePatch = { "content-type": "application/merge-patch+json" };
  const define = async (path: string, ...steps: readonly JsonObject[]): Promise<void> => {
    const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com${path}`;
    assert.equal((await server.call("PATCH", definition, steps, { "content-type": "application/json-patch+json" })).code, 200);
  };
  const storageOf = (index: number, value: boolean): JsonObject => ({ op: "replace", path: `/spec/versions/${index}/storage`, value });
  await define("", storageOf(0, false), storageOf(1, true));
  assert.equal((await server.call("PATCH", v2, {}, mergePatch)).code, 200);
  await define("/status", { op: "replace", path: "/status/storedVersions", value: ["v2"] });
  await define("", { op: "remove", path: "/spec/versions/0" });
  const before = await server.call("GET", v2);
  const refused = await apply(server, { note: "y" }, "v2");
  assert.deepEqual([refused.code, refused.body["message"]], [500, "request to convert CR to an invalid group/version: example.com/v1"]);
  assert.deepEqual((await server.call("GET", v2)).body, before.body);
  const { code, body } = await server.call("PATCH", v2, { spec: { note: "z" } }, mergePatch);
  assert.deepEqual([code, Object(body["metadata"]).managedFields], [200, undefined]);
  assert.equal((await apply(server, { size: 3 }, "v2")).code, 200);
});

test("[SSA35] metadata that is applied as null is none, for a new object as for one that is there", async () => {
  await using server = await startThings();
  const nothing = { labels: null, annotations: null, ownerReferences: null, finalizers: null, managedFields: null };
  const configuration: JsonObject = { ...thing({ note: "x" }), metadata: { name: "a", ...nothing } };
  for (const code of [201, 200]) {
    const answer = await server.call("PATCH", `${things}/a?fieldManager=me`, configuration, applyType);
    assert.deepEqual([answer.code, Object(answer.body["metadata"]).ownerReferences], [code, undefined]);
  }
});

test("[SSA18] an object that did not fit its schema before a write loses its owners by it", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { note: "x" })).code, 201);
  const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
  const retyped = [
    { op: "replace", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/note", value: { type: "integer" } },
  ];
  assert.equal((await server.call("PATCH", definition, retyped, { "content-type": "application/json-patch+json" })).code, 200);
  const mergePatch = { "content-type": "application/merge-patch+json" };
  const { code, body } = await server.call("PATCH", `${things}/a`, { spec: { note: null } }, mergePatch);
  assert.deepEqual([code, body["spec"], Object(body["metadata"]).managedFields], [200, { size: 3 }, undefined]);
});

test("[SSA17] an empty list of managed fields says nothing on a custom kind, one empty entry forgets them", async () => {
  await using server = await startThings();
  const made = await apply(server, { note: "x" });
  const patch = (managedFields: readonly JsonObject[]): Promise<CustomAnswer> =>
    server.call("PATCH", `${things}/a`, { metadata: { managedFields } }, { "content-type": "application/merge-patch+json" });
  assert.deepEqual((await patch([])).body, made.body);
  assert.equal(Object((await patch([{}])).body["metadata"]).managedFields, undefined);
});

test("[SSA38] what is owned of the status in another version may be in conflict, though it is not taken from a client", async () => {
  await using server = await startThings();
  await server.call("POST", things, thing({}));
  const withStatus = (worn: number, version: string): JsonObject => ({ ...thing({}, version), status: { worn } });
  assert.equal((await server.call("PATCH", `${things}/a/status?fieldManager=me`, withStatus(1, "v1"), applyType)).code, 200);
  const inV2 = `${things.replace("/v1/", "/v2/")}/a?fieldManager=other`;
  const { code, body } = await server.call("PATCH", inV2, withStatus(2, "v2"), applyType);
  assert.deepEqual([code, causesOf(body)], [409, ['.status.worn: conflict with "me" with subresource "status"']]);
  assert.equal((await server.call("PATCH", `${things}/a?fieldManager=other`, withStatus(2, "v1"), applyType)).code, 200);
  // The other way round it holds in all versions.
  await server.call("PATCH", `${things}/a?fieldManager=me`, thing({ note: "x" }), applyType);
  const status = `${things.replace("/v1/", "/v2/")}/a/status?fieldManager=other`;
  assert.equal((await server.call("PATCH", status, thing({ note: "y" }, "v2"), applyType)).code, 200);
});

test("[SSA39] what does not fit the version of an owner is refused in the words of the step that found it", async () => {
  await using server = await startThings();
  assert.equal((await apply(server, { tags: { a: "x" } }, "v1")).code, 201);
  const { code, body } = await apply(server, { mode: "slow" }, "v2");
  const step = "failed to prune fields: failed to convert merged object to last applied version";
  assert.deepEqual([code, body["message"]], [500, `${step}: .spec.mode: field not declared in schema`]);
});

test("[CRD54] a write in a version that does not know a field stores the object without it, even if it changes nothing, and only the first", async () => {
  await using server = await startThings({ type: "string" });
  const v2 = things.replace("/v1/", "/v2/");
  const made = await server.call("POST", things, { ...thing({}), metadata: { name: "b" }, old: "x" });
  const revision = ({ body }: CustomAnswer): unknown => Object(body["metadata"]).resourceVersion;
  const touch = (): Promise<CustomAnswer> => server.call("PATCH", `${v2}/b`, {}, { "content-type": "application/merge-patch+json" });
  const touched = await touch();
  assert.notEqual(revision(touched), revision(made));
  assert.equal(revision(await touch()), revision(touched));
  assert.equal((await server.call("GET", `${things}/b`)).body["old"], undefined);
});

async function startThings(mode: JsonObject = { type: "string", default: "fast" }): Promise<CustomServer> {
  const specOf = (version: string): JsonObject => ({
    type: "object",
    properties: {
      ...(version === "v2" ? { mode } : {}),
      tags: { type: "object", additionalProperties: { type: "string" } },
      note: { type: "string", nullable: true },
      size: { type: "integer", default: 3 },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  });
  const schemaOf = (version: string): JsonObject => ({
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: specOf(version),
        status: { type: "object", properties: { worn: { type: "integer" } } },
        ...(version === "v1" ? { old: { type: "string" } } : {}),
      },
    },
  });
  const server = startCustomServer();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: ["v1", "v2"].map((name) => ({
        name,
        served: true,
        storage: name === "v1",
        schema: schemaOf(name),
        subresources: { status: {} },
      })),
    },
  });
  return server;
}

function thing(spec: JsonObject, version = "v1"): JsonObject {
  return { apiVersion: `example.com/${version}`, kind: "Thing", metadata: { name: "a" }, spec };
}

function apply(server: CustomServer, spec: JsonObject, version = "v1"): Promise<CustomAnswer> {
  const path = `${things.replace("/v1/", `/${version}/`)}/a?fieldManager=me`;
  return server.call("PATCH", path, thing(spec, version), applyType);
}

function causesOf({ details }: JsonObject): readonly string[] {
  const { causes = [] } = Object(details) as { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  return causes.map(({ field, message }) => `${field}: ${message}`);
}
