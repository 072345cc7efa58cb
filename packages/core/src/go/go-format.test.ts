import assert from "node:assert/strict";
import { test } from "node:test";

import { compareGoStrings, formatGo, goType } from "./go-format.ts";
import { parseJson } from "../json/json.ts";

test("[PATCH1] values are printed as Go prints them", () => {
  const value = parseJson('{"b":[null,1.5,true,"x y"],"a":{"d":{},"c":[]},"é":9007199254740993}');
  assert.equal(formatGo(value), "map[a:map[c:[] d:map[]] b:[<nil> 1.5 true x y] é:9007199254740993]");
});

test("[PATCH1] numbers are printed as Go prints an int64 or a float64", () => {
  const texts = [0, -7, 1_000_000, 0.0001, 0.000_01, 123_456.5, 1_234_567.5, -1e20, 1.5e300].map(formatGo);
  assert.deepEqual(texts, ["0", "-7", "1000000", "0.0001", "1e-05", "123456.5", "1.2345675e+06", "-1e+20", "1.5e+300"]);
});

test("[PATCH1] types are named as Go names them", () => {
  const types = [null, true, 1, 1n, 1.5, "", [], {}].map(goType);
  assert.deepEqual(types, ["<nil>", "bool", "int64", "int64", "float64", "string", "[]interface {}", "map[string]interface {}"]);
});

test("[PATCH1] strings are ordered by code points", () => {
  const sorted = ["", "A", "Z", "a", "aa", "é", "\uE000", "\uFFFF", "\u{1F600}", "\u{1F600}a"];
  assert.deepEqual(sorted.toReversed().toSorted(compareGoStrings), sorted);
});
