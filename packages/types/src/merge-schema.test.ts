import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeSchemaOf } from "./merge-schema.ts";
import type { MergeSchema } from "./merge-schema.ts";

test("a list with keys is merged by them, with the defaults of the keys", () => {
  const ports = fieldOf("core.v1.Container", "ports")?.list;
  assert.equal(ports?.relationship, "map");
  assert.deepEqual(ports?.keys, [
    { name: "containerPort", default: 0 },
    { name: "protocol", default: "TCP" },
  ]);
  assert.equal(ports?.element.map?.field("hostIP")?.scalar, "string");
});

test("lists are sets or one value where nothing else is said", () => {
  assert.equal(fieldOf("meta.v1.ObjectMeta", "finalizers")?.list?.relationship, "set");
  assert.equal(fieldOf("core.v1.Container", "args")?.list?.relationship, "atomic");
});

test("maps and structs are owned entry by entry unless they are one value", () => {
  const labels = fieldOf("meta.v1.ObjectMeta", "labels")?.map;
  assert.deepEqual([labels?.atomic, labels?.hasFields, labels?.element], [false, false, { scalar: "string" }]);
  assert.equal(mergeSchemaOf("core.v1.LocalObjectReference")?.map?.atomic, true);
  assert.equal(fieldOf("core.v1.ObjectFieldSelector", "fieldPath")?.scalar, "string");
});

test("a field may say otherwise than the struct in it", () => {
  assert.equal(mergeSchemaOf("core.v1.ObjectReference")?.map?.atomic, true);
  assert.equal(fieldOf("core.v1.PersistentVolumeSpec", "claimRef")?.map?.atomic, false);
});

test("scalars go by their JSON type, those with two forms by none", () => {
  const scalars = ["replicas", "paused"].map((name) => fieldOf("apps.v1.DeploymentSpec", name)?.scalar);
  assert.deepEqual(scalars, ["numeric", "boolean"]);
  assert.equal(fieldOf("core.v1.HTTPGetAction", "port")?.scalar, "untyped");
  assert.equal(fieldOf("core.v1.Secret", "data")?.map?.element?.scalar, "string");
});

test("embedded JSON may be anything", () => {
  const data = fieldOf("apps.v1.ControllerRevision", "data");
  assert.deepEqual([data?.scalar, data?.map?.atomic, data?.list?.relationship], ["untyped", true, "atomic"]);
  const fallback = fieldOf("apiextensions.v1.JSONSchemaProps", "default");
  assert.deepEqual([fallback?.scalar, fallback?.map?.atomic, fallback?.map?.element?.scalar], ["untyped", false, "untyped"]);
});

test("a schema contains itself without end", () => {
  const properties = fieldOf("apiextensions.v1.JSONSchemaProps", "properties")?.map?.element;
  assert.equal(properties?.map?.field("properties")?.map?.element?.map?.field("type")?.scalar, "string");
});

test("there is no schema of what is no struct, and no field that is not declared", () => {
  assert.equal(mergeSchemaOf("constructor"), undefined);
  assert.equal(fieldOf("core.v1.Pod", "constructor"), undefined);
});

function fieldOf(struct: string, name: string): MergeSchema | undefined {
  return mergeSchemaOf(struct)?.map?.field(name);
}
