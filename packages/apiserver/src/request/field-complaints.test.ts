import assert from "node:assert/strict";
import { test } from "node:test";
import { complaintsOf } from "./field-complaints.ts";
import { parseStrictJson } from "./strict-json.ts";

const inStruct = { isStruct: true, isPatch: false };

test("[BODY1] what a struct lacks and what is given twice comes in the order of the document", () => {
  const { value, duplicates } = parseStrictJson('{"b":1,"a":{"c":1,"c":2},"d":[{"e":1,"e":2},{"f":1}],"z":1}');
  assert.deepEqual(complaintsOf(value, ["b", "d[1].f", "z"], duplicates, inStruct), [
    'unknown field "b"',
    'duplicate field "a.c"',
    'duplicate field "d[0].e"',
    'unknown field "d[1].f"',
    'unknown field "z"',
  ]);
});

test("[BODY1] what a struct lacks is not looked into", () => {
  const { value, duplicates } = parseStrictJson('{"a":{"b":1,"b":2},"c":1,"c":2,"ab":1,"ab":2,"l":[{"x":1,"x":2}]}');
  const unknown = ["a", "c", "l"];
  assert.deepEqual(complaintsOf(value, unknown, duplicates, inStruct), [
    'unknown field "a"',
    'unknown field "c"',
    'duplicate field "ab"',
    'unknown field "l"',
  ]);
});

test("[BODY1] what a patch gives twice comes first, wherever it is", () => {
  const { value, duplicates } = parseStrictJson('{"a":{"b":1,"b":2},"c":1}');
  assert.deepEqual(complaintsOf(value, ["a"], duplicates, { isStruct: true, isPatch: true }), [
    'duplicate field "a.b"',
    'unknown field "a"',
  ]);
});

test("[BODY1] of a struct no more than a hundred complaints are made, however deep the document is", () => {
  const depth = 3000;
  const deep = `${`{"${"k".repeat(300)}":`.repeat(depth)}1${"}".repeat(depth)}`;
  const names = Array.from({ length: 200 }, (_, index) => `x${index}`);
  const { value } = parseStrictJson(`{"deep":${deep},${names.map((name) => `"${name}":1`).join(",")}}`);
  const complaints = complaintsOf(value, ["deep", ...names], [], inStruct);
  assert.deepEqual([complaints.length, complaints[0], complaints.at(-1)], [100, 'unknown field "deep"', 'unknown field "x98"']);
});
