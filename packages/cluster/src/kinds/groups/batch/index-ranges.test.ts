import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commonIndex, parseIndexRanges } from "./index-ranges.ts";

test("single indexes and ranges are read, and counted", () => {
  assert.deepEqual(parseIndexRanges("0,2-4,7", 8), {
    type: "Ranges",
    ranges: [
      [0, 0],
      [2, 4],
      [7, 7],
    ],
    count: 5,
  });
  assert.deepEqual(parseIndexRanges("", 3), { type: "Ranges", ranges: [], count: 0 });
});

test("what makes no sense is told apart", () => {
  const problemOf = (text: string): unknown => {
    const parsed = parseIndexRanges(text, 5);
    return parsed.type === "Problem" ? parsed.problem : undefined;
  };
  assert.equal(problemOf("5"), 'too large index: "5"');
  assert.equal(problemOf("x"), 'cannot convert string to integer for index: "x"');
  assert.equal(problemOf("2-1"), "non-increasing order, previous: 2, current: 1");
  assert.equal(problemOf("1,1"), "non-increasing order, previous: 1, current: 1");
  assert.match(String(problemOf("0-1-2")), /can have at most two parts/);
});

const indexes = fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 1 }).map((values) => values.toSorted((left, right) => left - right));

test("the count is that of the indexes, however they are written", () => {
  fc.assert(
    fc.property(indexes, (values) => {
      const parsed = parseIndexRanges(values.join(","), 31);
      assert.equal(parsed.type === "Ranges" ? parsed.count : undefined, values.length);
    }),
  );
});

test("two lists have the first index in common that is in both", () => {
  fc.assert(
    fc.property(indexes, indexes, (left, right) => {
      assert.equal(
        commonIndex(left.join(","), right.join(","), 31),
        left.find((value) => right.includes(value)),
      );
    }),
  );
});
