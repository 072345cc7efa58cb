import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomServer } from "../testing/custom-server.ts";

const things = "/apis/example.com/v1/things";
const merge = { "content-type": "application/merge-patch+json" };
const apply = { "content-type": "application/apply-patch+yaml" };
const tooLarge = { code: 500, body: { message: "etcdserver: request is too large" } };

test("[WRITE14] what is too large for an etcd is refused however it is written, and what is there stays", async () => {
  await using server = await serverOfThings();
  const large = "x".repeat(1.5 * 1024 * 1024);
  assert.partialDeepStrictEqual(await server.call("POST", things, thing("a", { large })), tooLarge);
  assert.equal((await server.call("POST", things, thing("a", { large: large.slice(1000) }))).code, 201);
  assert.partialDeepStrictEqual(await server.call("PATCH", `${things}/a`, { spec: { large } }, merge), tooLarge);
  assert.partialDeepStrictEqual(
    await server.call("PATCH", `${things}/a?fieldManager=me&force=true`, thing("a", { large }), apply),
    tooLarge,
  );
  const { body } = await server.call("GET", `${things}/a`);
  assert.equal(recordOf(body["spec"])["large"], large.slice(1000));
});

test("[WRITE14] who owns which field is forgotten if the object is too large with it, but not by an apply", async () => {
  await using server = await serverOfThings();
  const names = Array.from({ length: 20_000 }, (_, index) => `field-${index}-of-this-object`);
  const many = Object.fromEntries(names.map((name) => [name, "x".repeat(20)]));
  assert.partialDeepStrictEqual(await server.call("PATCH", `${things}/a?fieldManager=me`, thing("a", many), apply), tooLarge);
  const { code, body } = await server.call("POST", things, thing("a", many));
  assert.deepEqual([code, recordOf(body["metadata"])["managedFields"]], [201, undefined]);
  assert.deepEqual((await server.call("GET", `${things}/a`)).body, body);
});

async function serverOfThings(): Promise<CustomServer> {
  const server = startCustomServer();
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", additionalProperties: { type: "string" } } } },
  };
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  return server;
}

function thing(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec };
}

function recordOf(value: JsonObject[string]): JsonObject {
  return isJsonObject(value) ? value : {};
}
