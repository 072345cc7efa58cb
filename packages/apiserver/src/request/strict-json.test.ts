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
    [`{"a":1,"a"${" ".repeat(100)}:2}`, ["a"]],
  ];
  for (const [text, duplicates] of cases) {
    assert.deepEqual(
      parseStrictJson(text).duplicates.map(({ path }) => path),
      duplicates,
      text,
    );
  }
});

test("[BODY1] no more than a hundred are named, whose paths would else take memory by the square of the body", () => {
  const key = "k".repeat(100);
  const { duplicates } = parseStrictJson(`${`{"${key}":1,"${key}":`.repeat(3000)}1${"}".repeat(3000)}`);
  assert.equal(duplicates.length, 100);
  assert.equal(duplicates.at(-1)?.path.length, 100 * 101 - 1);
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

test("[BODY5] a number beyond all that can be kept is refused, and not made null", () => {
  for (const number of ["1e400", "-1E+999", "9".repeat(400), `${"9".repeat(400)}.5`]) {
    const message = `json: cannot unmarshal number ${number} into Go value of type float64`;
    assert.throws(() => parseStrictJson(`{"a":["1e400 \\" 1e500",{"b":${number}}]}`), { message });
  }
  assert.deepEqual(parseStrictJson('{"a":"1e400","b":1e308,"c":1e-400}').value, { a: "1e400", b: 1e308, c: 0 });
});

test("[BODY3] nesting beyond any use is refused before it can do harm", () => {
  assert.throws(() => parseStrictJson("[".repeat(200_000) + "]".repeat(200_000)), /exceeded max depth/);
});
