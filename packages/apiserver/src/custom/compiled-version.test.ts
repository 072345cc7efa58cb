import assert from "node:assert/strict";
import { test } from "node:test";
import { compiledVersion } from "./compiled-version.ts";

test("a version of a definition is compiled once, and one that only looks the same by itself", () => {
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  const compiled = compiledVersion(version);
  assert.equal(compiledVersion(version).schema, compiled.schema);
  assert.equal(compiled.validation, compiled.validation);
  assert.notEqual(compiledVersion({ ...version }).schema, compiled.schema);
});
