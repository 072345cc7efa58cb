import assert from "node:assert/strict";
import { test } from "node:test";
import { definitionName, referencedDefinition, structOfDefinition } from "./definition-name.ts";
import { structTable } from "./struct-table.ts";

test("a struct's definition is named after its Go package", () => {
  assert.equal(definitionName("apps.v1.DeploymentSpec"), "io.k8s.api.apps.v1.DeploymentSpec");
  assert.equal(definitionName("meta.v1.ObjectMeta"), "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  assert.equal(definitionName("apiregistration.v1.APIService"), "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService");
});

test("the name of a definition leads back to its struct, and no other name does", () => {
  for (const struct of structTable.names()) assert.equal(structOfDefinition(definitionName(struct)), struct);
  assert.equal(structOfDefinition("io.k8s.api.meta.v1.ObjectMeta"), undefined);
  assert.equal(structOfDefinition("com.example.v1.Foo"), undefined);
  assert.equal(structOfDefinition("Pod"), undefined);
  assert.equal(structOfDefinition(""), undefined);
});

test("only structs and types with a JSON form of their own are referred to", () => {
  assert.equal(referencedDefinition({ type: "struct", name: "core.v1.Pod" }), "io.k8s.api.core.v1.Pod");
  assert.equal(referencedDefinition({ type: "quantity" }), "io.k8s.apimachinery.pkg.api.resource.Quantity");
  assert.equal(referencedDefinition({ type: "string" }), undefined);
  assert.equal(referencedDefinition({ type: "list", items: { type: "time" }, wrapped: false }), undefined);
});
