import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { spread } from "./spread.ts";

test("what there is room for is taken evenly, and nothing is lost", () => {
  assert.deepEqual(spread(["a", "b", "c", "d", "e", "f"], 3), ["a", "c", "e", "b", "d", "f"]);
  assert.deepEqual(spread(["a", "b"], 5), ["a", "b"]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.nat(20), (items, room) => {
      assert.deepEqual(
        [...spread(items, room)].toSorted((left, right) => left - right),
        items.toSorted((left, right) => left - right),
      );
    }),
  );
});
