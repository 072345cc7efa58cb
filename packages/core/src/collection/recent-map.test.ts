import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentMap } from "./recent-map.ts";

test("the last entries are remembered, and older ones are not", () => {
  const map = new RecentMap<number, string>(3);
  for (let key = 0; key < 10; key++) map.set(key, `value ${key}`);
  map.set(9, "changed");
  assert.deepEqual(
    [9, 8, 7].map((key) => map.get(key)),
    ["changed", "value 8", "value 7"],
  );
  assert.deepEqual([...map.values()], ["value 7", "value 8", "changed"]);
  assert.deepEqual(
    [0, 1, 2, 3].map((key) => map.get(key)),
    [undefined, undefined, undefined, undefined],
  );
});

test("exactly as many entries are remembered as the limit says, without those that were deleted", () => {
  const map = new RecentMap<number, string>(64);
  map.set(2, "two");
  map.set(3, "three");
  map.delete(2);
  assert.deepEqual([map.get(2), map.get(3)], [undefined, "three"]);
  for (let key = 4; key < 1000; key++) map.set(key, "more");
  const left = Array.from({ length: 1000 }, (_, key) => key).filter((key) => map.get(key) !== undefined);
  assert.deepEqual([left.length, left[0], left.at(-1)], [64, 936, 999]);
});

test("an entry that is deleted and added again is as young as its last addition", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.delete("a");
  map.set("a", 3);
  map.set("c", 4);
  assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [3, undefined, 4]);
});
