import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson } from "@kaji/core";
import { parseStrictJson } from "./strict-json.ts";

test("[BODY1] fields given twice are named with their path", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['{"a":1,"b":{"c":1}}', []],
    ['{"a":1,"a":2}', ["a"]],
    ['{"data":{"k":"1","k":"2","k":"3"}}', ["data.k"]],
    ['{"l":[{"x":1},{"x":1,"x":2}]}', ["l[1].x"]],
    ['{"a":":","b":"\\":","a":1}', ["a"]],
    [String.raw`{"a\"":1,"a\"":2}`, ['a"']],
    ['{"l":[[],[{"y" : 1 ,"y":2}]]}', ["l[1][0].y"]],
  ];
  for (const [text, duplicates] of cases) {
    assert.deepEqual(
      parseStrictJson(text).duplicates.map(({ path }) => path),
      duplicates,
      text,
    );
  }
});

test("[BODY1] what JSON.stringify writes has no field twice, and is read as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseStrictJson(text);
      assert.deepEqual(parsed.duplicates, []);
      assert.deepEqual(parsed.value, parseJson(text));
    }),
  );
});

test("[BODY2] what is not JSON is refused", () => {
  for (const text of ["", "{", '{"a":}', "[1,]", '{"a":1}x', '"\u0001"']) assert.throws(() => parseStrictJson(text), SyntaxError, text);
});

test("[BODY3] nesting beyond any use is refused before it can do harm", () => {
  assert.throws(() => parseStrictJson("[".repeat(200_000) + "]".repeat(200_000)), /exceeded max depth/);
});
