import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructuralSchema } from "@kaji/core/define";
import { structSchema } from "./struct-schema.ts";
import { structTable } from "./struct-table.ts";

test("a template's metadata is what one can ask of an object that is still to be made", () => {
  const { properties = {} } = structSchema("core.v1.PodTemplateSpec");
  assert.deepEqual(Object.keys(properties), ["metadata", "spec"]);
  assert.deepEqual(Object.keys(properties["metadata"]?.properties ?? {}), ["annotations", "finalizers", "labels", "name", "namespace"]);
});

test("scalars have the formats of controller-gen", () => {
  const amount = at("core.v1.ResourceRequirements", "limits").additionalProperties;
  assert.ok(typeof amount === "object");
  assert.equal(amount["x-kubernetes-int-or-string"], true);
  assert.match("1.5Gi", new RegExp(amount.pattern ?? "$^"));
  assert.doesNotMatch("much", new RegExp(amount.pattern ?? ""));
  assert.deepEqual(at("core.v1.HTTPGetAction", "port"), { "x-kubernetes-int-or-string": true });
  assert.deepEqual(at("batch.v1.JobSpec", "activeDeadlineSeconds"), { type: "integer", format: "int64" });
  assert.deepEqual(at("batch.v1.JobSpec", "parallelism"), { type: "integer", format: "int32" });
  assert.deepEqual(at("batch.v1.JobSpec", "suspend"), { type: "boolean" });
  assert.deepEqual(at("batch.v1.JobStatus", "startTime"), { type: "string", format: "date-time" });
  assert.deepEqual(at("core.v1.Secret", "data"), { type: "object", additionalProperties: { type: "string", format: "byte" } });
});

test("lists say how apply tells their items apart, and structs whether they are one value", () => {
  const ports = at("core.v1.Container", "ports");
  assert.equal(ports["x-kubernetes-list-type"], "map");
  assert.deepEqual(ports["x-kubernetes-list-map-keys"], ["containerPort", "protocol"]);
  assert.deepEqual(ports.items?.required, ["containerPort"]);
  assert.deepEqual(ports.items?.properties?.["protocol"], { type: "string", default: "TCP" });
  assert.equal(at("core.v1.Container", "args")["x-kubernetes-list-type"], "atomic");
  assert.equal(structSchema("meta.v1.LabelSelector")["x-kubernetes-map-type"], "atomic");
  assert.equal(at("batch.v1.JobSpec", "selector")["x-kubernetes-map-type"], "atomic");
});

test("a list whose key may be absent without a default is one value, and bytes are no list", () => {
  const secrets = at("core.v1.ServiceAccount", "secrets");
  assert.equal(secrets["x-kubernetes-list-type"], "atomic");
  assert.equal(secrets["x-kubernetes-list-map-keys"], undefined);
  assert.deepEqual(at("apiregistration.v1.APIServiceSpec", "caBundle"), { type: "string", format: "byte" });
});

test("defaults are those that the API documents, not the zero values of Go", () => {
  assert.equal(at("core.v1.LocalObjectReference", "name").default, "");
  assert.equal(at("core.v1.AzureDiskVolumeSource", "fsType").default, "ext4");
  assert.equal(at("core.v1.Container", "resources").default, undefined);
  assert.equal(at("core.v1.Container", "name").default, undefined);
});

test("what Kubernetes does not look into is kept as it is", () => {
  const anyObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  assert.deepEqual(at("apps.v1.ControllerRevision", "data"), anyObject);
});

test("there are neither sentences nor enums", () => {
  for (const struct of ["core.v1.PodTemplateSpec", "core.v1.ServiceSpec"]) {
    assert.doesNotMatch(JSON.stringify(structSchema(struct)), /"(description|enum)":\s*["[]/);
  }
});

test("the fields are those of the struct, and required what OpenAPI requires", () => {
  const { properties = {}, required } = structSchema("core.v1.PodSpec");
  assert.deepEqual(Object.keys(properties), [...(structTable.propertiesOf("core.v1.PodSpec")?.keys() ?? [])]);
  assert.deepEqual(required, ["containers"]);
});

test("a struct that contains itself is refused by its name, also within another; and so is one that there is not", () => {
  for (const struct of ["apiextensions.v1.JSONSchemaProps", "apiextensions.v1.CustomResourceDefinitionSpec"]) {
    const message = `schemaOf("${struct}"): apiextensions.v1.JSONSchemaProps contains itself, and has no structural schema; use k.preserveUnknownFields<…>()`;
    assert.throws(() => structSchema(struct), { name: "TypeError", message });
  }
  assert.throws(() => structSchema("core.v1.Nothing"), { message: 'schemaOf("core.v1.Nothing"): there is no such struct' });
});

function at(struct: string, field: string): StructuralSchema {
  return structSchema(struct).properties?.[field] ?? assert.fail(`${struct} has no ${field}`);
}
