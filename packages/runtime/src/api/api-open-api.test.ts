import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { api } from "./api.ts";
import { openApiDocument } from "./api-open-api.ts";
import { externalMetric } from "./external-metric.ts";

const Thing = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Thing",
  description: "A thing that somebody has.",
  fields: { size: z.int32().describe("How large it is."), colors: z.array(z.string().nullable()).optional() },
});
const Zone = resource<KubeObject>({ group: "example.com", version: "v2", kind: "Zone", plural: "zones", scope: "Cluster" });
const apis = [api(Thing, { list: () => [] }), api(Zone, { list: () => [] }), externalMetric("visits", { values: () => [] })];

test("[API11] OpenAPI v3 has a document for each version with kinds, at an address that is another when the document is", () => {
  const index = JSON.stringify(openApiDocument(apis, "/openapi/v3"));
  const addresses = [...index.matchAll(/"(apis[^"]*)":\{"serverRelativeURL":"([^?]*)\?hash=[0-9A-F]{64}"\}/g)].map(([, ...found]) => found);
  assert.deepEqual(addresses, [
    ["apis/example.com/v1", "/openapi/v3/apis/example.com/v1"],
    ["apis/example.com/v2", "/openapi/v3/apis/example.com/v2"],
  ]);
  assert.equal(JSON.stringify(openApiDocument(apis, "/openapi/v3/")), index);
  const other = api(defineResource({ group: "example.com", version: "v1", kind: "Thing", fields: { size: z.int() } }), { list: () => [] });
  assert.notEqual(JSON.stringify(openApiDocument([other, ...apis.slice(1)], "/openapi/v3")), index);
});

test("[API11] a kind of defineResource is described as that says, any other as an object", () => {
  const gvk = { group: "example.com", version: "v1", kind: "Thing" };
  assert.partialDeepStrictEqual(openApiDocument(apis, "/openapi/v3/apis/example.com/v1"), {
    openapi: "3.0.0",
    paths: {
      "/apis/example.com/v1/things": { get: { "x-kubernetes-action": "list" } },
      "/apis/example.com/v1/namespaces/{namespace}/things": { get: { "x-kubernetes-group-version-kind": gvk } },
      "/apis/example.com/v1/namespaces/{namespace}/things/{name}": {
        get: {
          parameters: [
            { name: "namespace", in: "path", required: true, schema: { type: "string" } },
            { name: "name", in: "path", required: true, schema: { type: "string" } },
          ],
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/com.example.v1.Thing" } } } } },
          "x-kubernetes-action": "get",
        },
      },
    },
    components: {
      schemas: {
        "com.example.v1.Thing": {
          type: "object",
          description: "A thing that somebody has.",
          required: ["size"],
          properties: {
            size: { type: "integer", format: "int32", description: "How large it is." },
            colors: { type: "array", items: { type: "string", nullable: true } },
            kind: { type: "string" },
            metadata: { type: "object" },
          },
          "x-kubernetes-group-version-kind": [gvk],
        },
        "com.example.v1.ThingList": { required: ["items"], "x-kubernetes-group-version-kind": [{ ...gvk, kind: "ThingList" }] },
      },
    },
  });
  assert.partialDeepStrictEqual(openApiDocument(apis, "/openapi/v3/apis/example.com/v2"), {
    paths: { "/apis/example.com/v2/zones": {}, "/apis/example.com/v2/zones/{name}": {} },
    components: { schemas: { "com.example.v2.Zone": { type: "object", "x-kubernetes-preserve-unknown-fields": true } } },
  });
});

test("[API11] OpenAPI v2 says the same of all, without what it does not know", () => {
  const document = openApiDocument(apis, "/openapi/v2");
  assert.partialDeepStrictEqual(document, {
    swagger: "2.0",
    paths: {
      "/apis/example.com/v1/things": {
        get: {
          parameters: [{ name: "labelSelector", in: "query", type: "string" }, { name: "fieldSelector" }],
          responses: { 200: { schema: { $ref: "#/definitions/com.example.v1.ThingList" } } },
        },
      },
      "/apis/example.com/v2/zones/{name}": {},
    },
    definitions: { "com.example.v1.Thing": { properties: { colors: { items: { type: "string" } } } } },
  });
  assert.doesNotMatch(JSON.stringify(document), /nullable/);
});

test("[API11] there is nothing of metrics, nor at any other path", () => {
  for (const path of ["/openapi", "/openapi/v1", "/openapi/v2/more", "/openapi/v3/apis/external.metrics.k8s.io/v1beta1"])
    assert.throws(() => openApiDocument(apis, path), { message: `there is nothing at ${path}` }, path);
});
