import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { definitionOf } from "./definition.ts";

test("a definition has the fields of its struct with all that OpenAPI says of them", () => {
  assert.deepEqual(written("io.k8s.api.core.v1.ContainerPort"), {
    type: "object",
    required: ["containerPort"],
    properties: {
      name: { type: "string" },
      hostPort: { type: "integer", format: "int32" },
      containerPort: { type: "integer", format: "int32", default: 0 },
      protocol: { type: "string", default: "TCP", enum: ["SCTP", "TCP", "UDP"] },
      hostIP: { type: "string" },
    },
  });
});

test("a reference is wrapped where something stands beside it, and only there", () => {
  const fields = propertiesOf("io.k8s.api.core.v1.Pod");
  const prefix = "#/components/schemas/io.k8s";
  assert.deepEqual(fields["spec"], { allOf: [{ $ref: `${prefix}.api.core.v1.PodSpec` }], default: {} });
  const status = propertiesOf("io.k8s.api.core.v1.PodStatus");
  assert.deepEqual(status["startTime"], { $ref: `${prefix}.apimachinery.pkg.apis.meta.v1.Time` });
});

test("every field of an object's metadata says what it is for", () => {
  const metadata = propertiesOf("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  for (const [name, field] of Object.entries(metadata)) {
    assert.ok(isJsonObject(field) && typeof field["description"] === "string", name);
  }
});

test("lists and maps describe what they hold, merge keys included", () => {
  const spec = propertiesOf("io.k8s.api.core.v1.PodSpec");
  assert.deepEqual(spec["containers"], {
    type: "array",
    items: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.Container" }], default: {} },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "name",
  });
  assert.deepEqual(spec["nodeSelector"], {
    type: "object",
    additionalProperties: { type: "string", default: "" },
    "x-kubernetes-map-type": "atomic",
  });
});

test("types with a JSON form of their own are defined, too", () => {
  assert.deepEqual(definitionOf("io.k8s.apimachinery.pkg.apis.meta.v1.Time"), { type: "string", format: "date-time" });
  assert.deepEqual(definitionOf("io.k8s.apimachinery.pkg.apis.meta.v1.Patch"), { type: "object" });
});

test("what is not defined is absent", () => {
  for (const name of ["io.k8s.api.core.v1.Nope", "com.example.v1.Foo", "constructor", "io.k8s.api.__proto__", ""]) {
    assert.equal(definitionOf(name), undefined, name);
  }
});

/** As it would stand in a document. */
function written(name: string): JsonValue {
  return JSON.parse(JSON.stringify(definitionOf(name))) as JsonValue;
}

function propertiesOf(name: string): JsonObject {
  return (written(name) as { readonly properties: JsonObject }).properties;
}
