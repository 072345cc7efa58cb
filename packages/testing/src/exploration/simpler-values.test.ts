import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "@kaji/core";
import { simplerObjects } from "./simpler-values.ts";

test("fields go first, then what is in them becomes less", () => {
  assert.deepEqual(
    [...simplerObjects({ a: 5, b: [1, 2] })],
    [
      { b: [1, 2] },
      { a: 5 },
      { a: 0, b: [1, 2] },
      { a: 1, b: [1, 2] },
      { a: 2, b: [1, 2] },
      { a: 5, b: [2] },
      { a: 5, b: [1] },
      { a: 5, b: [0, 2] },
      { a: 5, b: [1, 0] },
      { a: 5, b: [1, 1] },
    ],
  );
});

test("to take the first step again and again comes to an end", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }), (object) => {
      let [present, steps]: [JsonObject | undefined, number] = [object, 0];
      while (present !== undefined && steps < 1000) [present, steps] = [simplerObjects(present).next().value, steps + 1];
      assert.equal(present, undefined);
    }),
  );
});
