import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isOlder } from "./resource-version.ts";

test("[RYW1] versions compare as the numbers they are, of any length", () => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 80n });
  fc.assert(fc.property(version, version, (left, right) => assert.equal(isOlder(String(left), String(right)), left < right)));
});

test("[REF6] of what is not a number nothing is known", () => {
  for (const version of ["", "a", "01", "1.5", "-1", "1e3", " 1"]) {
    assert.deepEqual([isOlder(version, "5"), isOlder("5", version)], [false, false], version);
  }
});
