import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { equal } from "./equality.ts";
import { listOf } from "./list-value.ts";
import { mapOf } from "./map-value.ts";
import { compare } from "./order.ts";
import { Double, Duration, Timestamp, Uint } from "./value.ts";
import type { Value } from "./value.ts";

const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.double({ noNaN: true }).map((value) => new Double(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => new Double(value)),
  fc.bigInt({ min: 0n, max: 3n }).map((value) => new Uint(value)),
);

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    number,
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }).map((seconds) => new Timestamp(seconds)),
    fc.bigInt({ min: 0n, max: 3n }).map((nanos) => new Duration(nanos)),
    fc.array(tie("value"), { maxLength: 3 }).map(listOf),
    fc.dictionary(fc.string({ maxLength: 2 }), tie("value"), { maxKeys: 3 }).map((entries) => mapOf(Object.entries(entries))),
  ),
}));

test("[CEL10] equality is the same from both sides, and of numbers whatever their type", () => {
  fc.assert(fc.property(anyValue, anyValue, (left, right) => assert.equal(equal(left, right), equal(right, left))));
  fc.assert(fc.property(anyValue, (value) => assert.equal(equal(listOf([value]), listOf([value])), true)));
  assert.equal(equal(2n ** 53n + 1n, 2n ** 53n), false);
  assert.equal(equal(2n ** 53n + 1n, new Double(2 ** 53)), true);
  assert.equal(equal(1, new Double(1)), true);
  assert.equal(equal(new Uint(1n), 1), true);
  const nan = new Double(Number.NaN);
  assert.equal(equal(nan, nan), false);
  assert.equal(equal(listOf([nan]), listOf([nan])), false);
  assert.equal(equal(1, "1"), false);
});

test("[CEL10] order is the opposite from the other side, and agrees with equality", () => {
  fc.assert(
    fc.property(number, number, (left, right) => {
      const [order, opposite] = [compare(left, right), compare(right, left)];
      if (typeof order !== "number" || typeof opposite !== "number") return;
      assert.equal(Math.sign(order), Math.sign(opposite) === 0 ? 0 : -Math.sign(opposite));
      assert.equal(order === 0, equal(left, right));
    }),
  );
});

test("[CEL10] keys of a map are the same when they are equal", () => {
  const map = mapOf([
    [1, "one"],
    ["1", "text"],
    [true, "yes"],
    [2n ** 62n, "big"],
  ]);
  assert.ok(map.kind === "map");
  assert.equal(map.find(new Uint(1n)), "one");
  assert.equal(map.find(new Double(1)), "one");
  assert.equal(map.find("1"), "text");
  assert.equal(map.find(new Double(2 ** 62)), "big");
  assert.equal(map.find(new Double(1.5)), undefined);
  assert.equal(map.find("__proto__"), undefined);
});
