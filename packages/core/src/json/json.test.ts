import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson, stringifyJson } from "./json.ts";

interface Vector {
  readonly text: string;
  readonly output: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/json.json", import.meta.url), "utf8"));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test("[JSON1] what goes through it comes out as it does through Kubernetes", () => {
  for (const { text, output } of vectors) assert.equal(stringifyJson(parseJson(text)), output, text);
});

test("[JSON1] an integer is a number up to 2^53-1 and a bigint beyond, a float always a number", () => {
  assert.equal(parseJson("9007199254740991"), 9007199254740991);
  assert.equal(parseJson("9007199254740992"), 9007199254740992n);
  assert.equal(parseJson("-9007199254740993"), -9007199254740993n);
  assert.equal(parseJson("9223372036854775807"), 2n ** 63n - 1n);
  assert.equal(parseJson("9223372036854775808"), 2 ** 63);
  assert.equal(parseJson("18446744073709551615"), 2 ** 64);
  assert.equal(parseJson("9007199254740993.0"), 9007199254740992);
  assert.equal(parseJson("1e18"), 1e18);
});

test("[JSON1] law: every int64 survives, wherever it stands", () => {
  fc.assert(
    fc.property(
      int64,
      fc.constantFrom("V", " V ", "[V]", "[0,V,1]", '{"a":V}', '{\n  "a": V\n}', '{"a":[{"b":V}],"c":"V"}'),
      (value, frame) => {
        const text = frame.replaceAll("V", String(value));
        assert.equal(stringifyJson(parseJson(text)), text.replaceAll(/\s/g, ""));
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});

test("[JSON2] law: digits inside a string are left alone", () => {
  const digits = fc.stringMatching(/^[":,[\]{} -]{0,3}\d{16,25}[":,[\]{} -]{0,3}$/);
  fc.assert(
    fc.property(fc.dictionary(digits, digits), (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
    }),
    { seed: 8 },
  );
});

test("[JSON3] law: what JSON.parse reads is read alike, and what JSON.stringify writes is written alike", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(stringifyJson(value), text);
      assert.equal(stringifyJson(parseJson(text)), stringifyJson(JSON.parse(text)));
      assert.equal(stringifyJson(value, 2), JSON.stringify(value, undefined, 2));
    }),
    { seed: 9, numRuns: 500 },
  );
});

test("[JSON4] the keys of prototypes are plain data", () => {
  for (const large of ["1", "9223372036854775807"]) {
    const value = parseJson(`{"__proto__":{"polluted":${large}},"constructor":{"prototype":{"polluted":true}}}`);
    assert.ok(typeof value === "object" && value !== null);
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal("polluted" in {}, false);
    assert.equal(stringifyJson(value), `{"__proto__":{"polluted":${large}},"constructor":{"prototype":{"polluted":true}}}`);
  }
});

test("[JSON5] bigints are written as integers at any depth, and what JSON has no word for as null", () => {
  assert.equal(stringifyJson({ a: [1n, { b: -(2n ** 63n) }] }), '{"a":[1,{"b":-9223372036854775808}]}');
  assert.equal(stringifyJson([2n], 2), "[\n  2\n]");
  assert.equal(stringifyJson(undefined), "null");
  assert.equal(stringifyJson({ a: undefined }), "{}");
  assert.equal(stringifyJson(-0), "0");
});

test("what is not JSON is a SyntaxError, and a cycle a TypeError", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  assert.throws(() => stringifyJson(cycle), TypeError);
  for (const text of ["", "{", "01", "[9223372036854775807", "9223372036854775807n", "{a:1}"]) {
    assert.throws(() => parseJson(text), SyntaxError, text);
  }
});
