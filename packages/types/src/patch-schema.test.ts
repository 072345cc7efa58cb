import assert from "node:assert/strict";
import { test } from "node:test";
import { applyStrategicMergePatch } from "@kaji/core";
import type { JsonObject, PatchField } from "@kaji/core";
import { patchSchemaOf } from "./patch-schema.ts";

test("a field says how patches treat it", () => {
  const spec = patchSchemaOf("core.v1.PodSpec");
  assert.equal(spec?.name, "PodSpec");
  const { type: container, ...containers } = spec?.field("containers") ?? assert.fail();
  assert.deepEqual(containers, { list: true, strategy: "merge", mergeKey: "name" });
  assert.equal(typeof container === "string" ? container : container.name, "Container");
  assert.deepEqual([spec?.field("volumes")?.strategy, spec?.field("volumes")?.retainKeys], ["merge", true]);
  assert.equal(patchSchemaOf("core.v1.Taint")?.field("nope"), undefined);
});

test("types that are no structs go by their Go kind, and those with a JSON form of their own have no fields", () => {
  assert.deepEqual(fieldOf("core.v1.ConfigMap", "data"), { type: "map" });
  assert.deepEqual(fieldOf("core.v1.PodSpec", "priority"), { type: "int32" });
  assert.deepEqual(fieldOf("meta.v1.ObjectMeta", "finalizers"), { type: "string", list: true, strategy: "merge" });
  assert.deepEqual(fieldOf("certificates.v1.CertificateSigningRequestSpec", "request"), { type: "uint8", list: true });
  const time = fieldOf("meta.v1.ObjectMeta", "creationTimestamp")?.type;
  assert.ok(typeof time === "object" && time.name === "Time" && time.field("Time") === undefined);
});

test("inline structs belong to the surrounding one", () => {
  assert.equal(patchSchemaOf("core.v1.Volume")?.field("emptyDir")?.list, undefined);
  assert.ok(patchSchemaOf("core.v1.Pod")?.field("apiVersion"));
});

test("there is no schema of what is no struct", () => {
  assert.equal(patchSchemaOf("core.v1.Nothing"), undefined);
  assert.equal(patchSchemaOf("constructor"), undefined);
});

test("a strategic merge patch merges containers by name and environments by theirs", () => {
  const pod = podWith([{ name: "web", image: "web:1", env: [{ name: "A", value: "1" }] }, { name: "log" }]);
  const patch = podWith([{ name: "web", env: [{ name: "B", value: "2" }] }]);
  const schema = patchSchemaOf("core.v1.Pod") ?? assert.fail();
  const env = [
    { name: "B", value: "2" },
    { name: "A", value: "1" },
  ];
  assert.deepEqual(applyStrategicMergePatch(pod, patch, schema), podWith([{ name: "web", image: "web:1", env }, { name: "log" }]));
});

function fieldOf(struct: string, name: string): PatchField | undefined {
  return patchSchemaOf(struct)?.field(name);
}

function podWith(containers: readonly JsonObject[]): JsonObject {
  return { spec: { containers } };
}
