import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { parseJson, stringifyJson } from "./json.ts";
import type { JsonValue } from "./json.ts";
import { structuralEqual } from "./structural-equal.ts";

test("[PATCH4] equality is that of values: fields in any order, items in theirs, integers to the last digit", () => {
  assert.ok(structuralEqual({ a: 1, b: [null, { c: "x" }] }, { b: [null, { c: "x" }], a: 1 }));
  assert.ok(structuralEqual(parseJson("9007199254740993"), 9007199254740993n));
  assert.ok(structuralEqual(parseJson("9007199254740992"), 2 ** 53));
  const different: readonly (readonly [JsonValue | undefined, JsonValue | undefined])[] = [
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: null }, {}],
    [1, "1"],
    [0, false],
    [null, undefined],
    [9007199254740993n, 9007199254740992n],
  ];
  for (const [left, right] of different) {
    assert.ok(!structuralEqual(left, right));
    assert.ok(!structuralEqual(right, left));
  }
});

test("[PATCH3] equality looks at own fields only", () => {
  assert.ok(!structuralEqual(parseJson('{"__proto__":{}}'), { other: 1 }));
  assert.ok(!structuralEqual({ other: 1 }, parseJson('{"toString":1}')));
  assert.ok(structuralEqual(parseJson('{"__proto__":{"a":1}}'), parseJson('{"__proto__":{"a":1}}')));
});

test("an undefined field is an absent one", () => {
  assert.ok(structuralEqual({ a: undefined, b: 1 }, { b: 1 }));
  assert.ok(structuralEqual({ b: 1 }, { a: undefined, b: 1 }));
  assert.ok(!structuralEqual({ a: undefined }, { b: 1 }));
});

test("a value equals its copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = value as JsonValue;
      assert.ok(structuralEqual(json, parseJson(stringifyJson(json))));
    }),
    { seed: 1 },
  );
});
