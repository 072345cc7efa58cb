import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentlyKnown } from "./recently-known.ts";

test("a thing is known until it is forgotten, or many others have been met after it", () => {
  const known = new RecentlyKnown<number, string>(64);
  known.set(2, "two");
  known.set(3, "three");
  known.delete(2);
  assert.deepEqual([known.get(2), known.get(3)], [undefined, "three"]);
  for (let number = 4; number < 1000; number++) known.set(number, "more");
  const left = Array.from({ length: 1000 }, (_, number) => number).filter((number) => known.get(number) !== undefined);
  assert.deepEqual([left.length, left[0], left.at(-1)], [64, 936, 999]);
});
