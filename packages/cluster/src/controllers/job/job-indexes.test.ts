import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexText, readIndexes } from "./job-indexes.ts";

test("indexes read what they are shown as", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 })), (given) => {
      const indexes = new Set(given);
      const read = readIndexes(indexText(indexes), 41);
      assert.deepEqual(
        [...read],
        [...indexes].toSorted((left, right) => left - right),
      );
    }),
  );
});

test("two neighbours are shown one by one, three as a range", () => {
  assert.equal(indexText([5, 0, 1, 7, 6, 9]), "0,1,5-7,9");
});

test("indexes that are too large and parts that make no sense are passed over", () => {
  assert.deepEqual([...readIndexes("0,x,2-9,-1,,11", 4)], [0, 2, 3]);
});
