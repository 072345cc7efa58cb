import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "@kaji/core";
import { canonicalIpErrors, canonicalRangeErrors, isStrictlyWithin, parseRange } from "./ip-range.ts";

test("a range is an address and how many of its bits are fixed", () => {
  assert.equal(parseRange("10.0.0.0/8")?.prefixLength, 8);
  assert.equal(parseRange("2001:db8::/64")?.address.family, "IPv6");
  for (const text of ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/8/9", "10.0.0.0/x", "x/8"])
    assert.equal(parseRange(text), undefined, text);
});

test("a range is within a larger one of the same family that has its leading bits", () => {
  const isWithin = (inner: string, outer: string): boolean => {
    const [small, large] = [parseRange(inner), parseRange(outer)];
    assert.ok(small !== undefined && large !== undefined);
    return isStrictlyWithin(small, large);
  };
  assert.ok(isWithin("10.1.0.0/16", "10.0.0.0/8"));
  assert.ok(isWithin("2001:db8:0:1::/64", "2001:db8::/32"));
  assert.ok(!isWithin("10.0.0.0/8", "10.0.0.0/8"));
  assert.ok(!isWithin("11.0.0.0/16", "10.0.0.0/8"));
  assert.ok(!isWithin("::/16", "0.0.0.0/8"));
});

test("addresses and ranges must be written in the one canonical way", () => {
  const path = FieldPath.of("ip");
  assert.deepEqual(canonicalIpErrors(path, "2001:db8::1"), []);
  assert.match(canonicalIpErrors(path, "2001:DB8::1")[0]?.body ?? "", /must be in canonical form \("2001:db8::1"\)/);
  assert.deepEqual(canonicalRangeErrors(path, "10.0.0.0/8"), []);
  assert.match(canonicalRangeErrors(path, "2001:db8:0::/64")[0]?.body ?? "", /must be in canonical form \("2001:db8::\/64"\)/);
});
