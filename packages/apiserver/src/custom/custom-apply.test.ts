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

async function startThings(): Promise<CustomServer> {
  const specOf = (version: string): JsonObject => ({
    type: "object",
    properties: {
      ...(version === "v2" ? { mode: { type: "string", default: "fast" } } : {}),
      tags: { type: "object", additionalProperties: { type: "string" } },
      note: { type: "string", nullable: true },
      size: { type: "integer", default: 3 },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  });
  const schemaOf = (version: string): JsonObject => ({ openAPIV3Schema: { type: "object", properties: { spec: specOf(version) } } });
  const server = startCustomServer();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema: schemaOf(name) })),
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
