import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText, isJsonObject, parseJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomServer } from "../testing/custom-server.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/things";
const first: JsonObject = { observedGeneration: -1, phase: "New" };

test("[CRD56] a new object has the default of its status in every answer, whatever it was sent with", async () => {
  await using server = await serverOfThings();
  const sent = { status: { observedGeneration: 7 } };
  assert.deepEqual((await server.call("POST", `${things}?dryRun=All`, thing("a", sent))).body["status"], first);
  assert.deepEqual((await server.call("POST", things, thing("a", sent))).body["status"], first);
  assert.deepEqual((await server.call("PATCH", `${things}/b?fieldManager=me`, thing("b"), apply)).body["status"], first);
  assert.deepEqual((await server.call("GET", `${things}/a`)).body["status"], first);
  const { items } = (await server.call("GET", things)).body;
  assert.deepEqual(Array.isArray(items) && items.map((item) => recordOf(item)["status"]), [first, first]);
  await server.call("PATCH", `${things}/a/status`, { status: { observedGeneration: 1 } }, merge);
  assert.deepEqual((await server.call("GET", `${things}/a`)).body["status"], { observedGeneration: 1, phase: "New" });
});

test("[CRD56] watchers see it, too", async () => {
  await using server = await serverOfThings();
  await server.call("POST", things, thing("a"));
  const path = `${things}?watch=true&resourceVersion=0&timeoutSeconds=1`;
  const { body } = await server.server.transport()({ method: "GET", path, headers: {} });
  await server.call("POST", things, thing("b"));
  const text = bodyText(body);
  await server.clock.advance(1000);
  const events = (await text).trimEnd().split("\n");
  const told = events.map((line) => recordOf(recordOf(parseJson(line))["object"]));
  assert.deepEqual(
    told.map(({ metadata, status }) => [recordOf(metadata)["name"], status]),
    [
      ["a", first],
      ["b", first],
    ],
  );
});

test("[CRD56] it is kept without, and with it from the next write on", async () => {
  await using server = await serverOfThings();
  const metadata = async (): Promise<JsonObject> => recordOf((await server.call("PATCH", `${things}/a`, {}, merge)).body["metadata"]);
  const created = recordOf((await server.call("POST", things, thing("a"))).body["metadata"]);
  assert.equal(kept(server)["status"], undefined);
  const { resourceVersion, ...others } = await metadata();
  assert.notEqual(resourceVersion, created["resourceVersion"]);
  assert.deepEqual({ ...others, resourceVersion: created["resourceVersion"] }, created);
  assert.deepEqual(kept(server)["status"], first);
  assert.equal((await metadata())["resourceVersion"], resourceVersion);
});

test("[CRD56] rules see it from the next write on", async () => {
  await using server = await serverOfThings({ rule: "!has(self.status)" });
  assert.equal((await server.call("POST", things, thing("a"))).code, 201);
  const { code } = await server.call("PATCH", `${things}/a`, { metadata: { labels: { seen: "yes" } } }, merge);
  assert.equal(code, 422);
});

const apply = { "content-type": "application/apply-patch+yaml" };
const merge = { "content-type": "application/merge-patch+json" };

async function serverOfThings(rule?: JsonObject): Promise<CustomServer> {
  const server = startCustomServer();
  const properties = {
    observedGeneration: { type: "integer" },
    phase: { type: "string", default: "New" },
  };
  const status = { type: "object", default: { observedGeneration: -1 }, properties };
  const rules = rule === undefined ? {} : { "x-kubernetes-validations": [rule] };
  const schema = { openAPIV3Schema: { type: "object", properties: { status }, ...rules } };
  const versions = [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }];
  const names = { plural: "things", kind: "Thing" };
  const metadata = { name: "things.example.com" };
  const spec = { group: "example.com", scope: "Cluster", names, versions };
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec };
  const { code, body } = await server.call("POST", crds, definition);
  assert.equal(code, 201, JSON.stringify(body));
  return server;
}

function thing(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, ...more };
}

function kept({ storage }: CustomServer): JsonObject {
  return recordOf(parseJson(Buffer.from(storage.get("/registry/example.com/things/a")?.bytes ?? []).toString()));
}

function recordOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
