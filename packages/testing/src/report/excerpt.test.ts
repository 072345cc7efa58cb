import assert from "node:assert/strict";
import { test } from "node:test";
import { excerpt } from "./excerpt.ts";

const lines = Array.from({ length: 100 }, (_, index) => String(index));

test("of many lines those around a fault are shown, and where one should look is always among them", () => {
  assert.deepEqual(excerpt(lines.slice(0, 40), 0, 39), lines.slice(0, 40));
  assert.deepEqual(excerpt(lines, 30, 40), ["… 20 lines before", ...lines.slice(20, 60), "… 40 lines more"]);
  assert.deepEqual(excerpt(lines, 99, -1), ["… 60 lines before", ...lines.slice(60)]);
  assert.deepEqual(excerpt(lines, 0, 80), [...lines.slice(0, 20), "… 46 lines in between", ...lines.slice(66, 86), "… 14 lines more"]);
  assert.deepEqual(excerpt(lines, 0, 99), [...lines.slice(0, 20), "… 65 lines in between", ...lines.slice(85)]);
  assert.deepEqual(excerpt(lines, 0, 41), [...lines.slice(0, 20), "… 7 lines in between", ...lines.slice(27, 47), "… 53 lines more"]);
});
