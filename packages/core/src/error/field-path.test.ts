import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "./field-path.ts";

test("a path is written as Kubernetes writes it", () => {
  const container = FieldPath.of("spec", "containers").index(0);
  assert.equal(container.child("env").key("PATH").toString(), "spec.containers[0].env[PATH]");
  assert.equal(FieldPath.of("metadata").child("labels").key("a.b/c").toString(), "metadata.labels[a.b/c]");
  assert.equal(FieldPath.root.toString(), "");
  assert.equal(FieldPath.root.index(3).toString(), "[3]");
});

test("a path does not change when another is made from it", () => {
  const spec = FieldPath.of("spec");
  spec.child("replicas");
  assert.equal(spec.toString(), "spec");
});
