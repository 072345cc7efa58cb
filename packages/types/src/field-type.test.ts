import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFieldType } from "./field-type.ts";

test("types are read as the table writes them", () => {
  assert.deepEqual(parseFieldType("int64"), { type: "int64" });
  assert.deepEqual(parseFieldType("core.v1.PodSpec"), { type: "struct", name: "core.v1.PodSpec" });
  assert.deepEqual(parseFieldType("[]string"), { type: "list", items: { type: "string" }, wrapped: false });
  assert.deepEqual(parseFieldType("{}quantity"), { type: "map", values: { type: "quantity" } });
  assert.deepEqual(parseFieldType("{}<>string"), { type: "map", values: { type: "list", items: { type: "string" }, wrapped: true } });
  assert.deepEqual(parseFieldType("schemaOrBool a.v1.B"), { type: "schemaOrBool", schema: "a.v1.B" });
});
