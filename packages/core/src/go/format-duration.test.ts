import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFormatDuration } from "./format-duration.ts";

const hour = 3_600_000_000_000n;

test("a duration is in Go's form, or in words of which those count that can be read", () => {
  assert.equal(parseFormatDuration("1h30m"), (3n * hour) / 2n);
  assert.equal(parseFormatDuration("-1h"), -hour);
  assert.equal(parseFormatDuration("2 weeks"), 14n * 24n * hour);
  assert.equal(parseFormatDuration("3d"), 72n * hour);
  assert.equal(parseFormatDuration("2 days and 3 hours, 1 cup"), 51n * hour);
  assert.equal(parseFormatDuration("P1D"), 24n * hour);
  assert.equal(parseFormatDuration("5 Minutes"), hour / 12n);
});

test("what has no amount of time in it is none", () => {
  for (const text of ["", "5", "days", "1 cup", "9223372036854775808 s"]) assert.equal(parseFormatDuration(text), undefined, text);
});
