import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch } from "./patch-body.ts";
import type { PatchType } from "./patch-body.ts";

test("[BODY1] what a JSON patch says beside its operations, or twice, is told in the order of the document", () => {
  const text = '[{"op":"add","path":"/a","value":{"b":1,"b":2},"more":1e999},{"Op":"x"}]';
  const { duplicates } = parsePatch("json", Buffer.from(text));
  assert.deepEqual(
    duplicates.map(({ complaint }) => complaint),
    ['duplicate field "[0].value.b"', 'unknown field "[0].more"', 'unknown field "[1].Op"'].map((complaint) => `json patch ${complaint}`),
  );
});

test("[BODY5] a number that is too large is told of where a patch may have one", () => {
  const cannot = "error decoding patch: json: cannot unmarshal number";
  assert.equal(refusal("merge", "1e999"), `${cannot} into Go value of type map[string]interface {}`);
  assert.equal(refusal("merge", '{"a":1e999}'), `${cannot} 1e999 into Go value of type float64`);
  assert.equal(refusal("json", '[{"op":1e999}]'), `${cannot} into Go struct field jsonPatchOp.op of type string`);
  assert.equal(refusal("json", '[{"value":[-1e999]}]'), `${cannot} -1e999 into Go struct field jsonPatchOp.value of type float64`);
});

function refusal(type: Exclude<PatchType, "apply">, text: string): string {
  try {
    parsePatch(type, Buffer.from(text));
  } catch (error) {
    return error instanceof Error ? error.message : assert.fail();
  }
  return "";
}
