import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { startCustomServer } from "../../testing/custom-server.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

test("[CRD10] names, conversion and stored versions follow from the rest", async () => {
  await using server = startCustomServer();
  const { body } = await server.call("POST", `${crds}?dryRun=All`, crd());
  const { names, conversion } = recordOf(body["spec"]);
  assert.deepEqual(names, { plural: "things", kind: "Thing", singular: "thing", listKind: "ThingList" });
  assert.deepEqual(conversion, { strategy: "None" });
  assert.deepEqual(body["status"], { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] });
});

test("[CRD11] a version that has been stored stays among the stored ones until somebody says otherwise", async () => {
  await using server = startCustomServer();
  await server.call("POST", crds, crd());
  await server.clock.advance(0);
  const switched = await put(server, (body) => ({
    ...body,
    spec: { ...recordOf(body["spec"]), versions: [version("v1", false), version("v2", true)] },
  }));
  assert.deepEqual(recordOf(switched.body["status"])["storedVersions"], ["v1", "v2"]);
  assert.equal(recordOf(switched.body["metadata"])["generation"], 2);
  const refused = await put(server, (body) => ({ ...body, spec: { ...recordOf(body["spec"]), versions: [version("v2", true)] } }));
  assert.equal(refused.code, 422);
  const migrated = await put(server, (body) => ({ ...body, status: { ...recordOf(body["status"]), storedVersions: ["v2"] } }), "/status");
  assert.deepEqual(recordOf(migrated.body["status"])["storedVersions"], ["v2"]);
  assert.equal(
    (await put(server, (body) => ({ ...body, spec: { ...recordOf(body["spec"]), versions: [version("v2", true)] } }))).code,
    200,
  );
});

test("[CRD13] the status endpoint leaves the spec alone, and the other one the status", async () => {
  await using server = startCustomServer();
  await server.call("POST", crds, crd());
  await server.clock.advance(0);
  const status = await put(
    server,
    (body) => ({
      ...body,
      metadata: { ...recordOf(body["metadata"]), labels: { a: "b" } },
      spec: { ...recordOf(body["spec"]), group: "other.dev" },
    }),
    "/status",
  );
  assert.equal(status.code, 200);
  assert.equal(recordOf(status.body["spec"])["group"], "example.com");
  assert.deepEqual(recordOf(status.body["metadata"])["labels"], { a: "b" });
  const spec = await put(server, (body) => ({ ...body, status: { acceptedNames: { plural: "x", kind: "X" }, storedVersions: ["v9"] } }));
  assert.deepEqual(recordOf(spec.body["status"])["storedVersions"], ["v1"]);
});

test("[CRD14] a PUT without a resource version is refused", async () => {
  await using server = startCustomServer();
  await server.call("POST", crds, crd());
  const refused = await server.call("PUT", `${crds}/things.example.com`, crd());
  assert.equal(refused.code, 422);
});

test("[CRD15] the table of definitions has their names and when they were made", async () => {
  await using server = startCustomServer();
  await server.call("POST", crds, crd());
  const { body } = await server.call("GET", crds, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
  const columns = body["columnDefinitions"] as readonly JsonObject[];
  assert.deepEqual(
    columns.map(({ name, type, format }) => [name, type, format]),
    [
      ["Name", "string", "name"],
      ["Created At", "date", ""],
    ],
  );
  assert.deepEqual((body["rows"] as readonly JsonObject[])[0]?.["cells"], ["things.example.com", "2026-01-01T00:00:00Z"]);
});

type Server = ReturnType<typeof startCustomServer>;

async function put(server: Server, change: (body: JsonObject) => JsonObject, subresource = ""): ReturnType<Server["call"]> {
  const { body } = await server.call("GET", `${crds}/things.example.com`);
  return server.call("PUT", `${crds}/things.example.com${subresource}`, change(body));
}

function crd(): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names: { plural: "things", kind: "Thing" }, versions: [version("v1", true)] },
  };
}

function version(name: string, storage: boolean): JsonObject {
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: "object" } } };
}

function recordOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
