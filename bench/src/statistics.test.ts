import assert from "node:assert/strict";
import { test } from "node:test";
import { median, medians, percentile } from "./statistics.ts";

test("the median is the middle, or the mean of the two in the middle", () => {
  assert.deepEqual(
    [[3], [3, 1], [5, 1, 3], [4, 1, 3, 2]].map((values) => median(values)),
    [3, 2, 3, 2.5],
  );
});

test("a percentile is one of the values", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.deepEqual([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.99)], [100, 198, 7]);
});

test("each figure has its own median", () => {
  assert.deepEqual(
    medians([
      { a: 1, b: 9 },
      { a: 2, b: 7 },
      { a: 3, b: 8 },
    ]),
    { a: 2, b: 8 },
  );
});
