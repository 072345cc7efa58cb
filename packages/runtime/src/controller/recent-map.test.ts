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
  assert.deepEqual(
    [0, 1, 2, 3].map((key) => map.get(key)),
    [undefined, undefined, undefined, undefined],
  );
});
