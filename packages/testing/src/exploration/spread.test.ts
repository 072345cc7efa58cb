import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { spread } from "./spread.ts";

test("of all items each comes once, the first first", () => {
  assert.deepEqual(spread(["a", "b", "c", "d", "e", "f"]), ["a", "e", "c", "b", "f", "d"]);
  assert.deepEqual([spread(["a"]), spread([])], [["a"], []]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), (items) => {
      assert.deepEqual(new Set(spread(items)), new Set(items));
      assert.equal(spread(items).length, items.length);
    }),
  );
});

test("wherever one stops, no stretch of the items was left out", () => {
  const order = spread(Array.from({ length: 430 }, (_, index) => index));
  for (let taken = 1; taken <= order.length; taken++) {
    const known = order.slice(0, taken).toSorted((one, other) => one - other);
    const gaps = known.map((index, position) => (known[position + 1] ?? order.length) - index);
    assert.ok(Math.max(...gaps) <= Math.ceil((4 * order.length) / taken), `${Math.max(...gaps)} after ${taken}`);
  }
});
