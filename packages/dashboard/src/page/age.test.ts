import assert from "node:assert/strict";
import { test } from "node:test";
import { ageText } from "./age.ts";

test("an age is told in the unit that fits", () => {
  const now = Date.UTC(2026, 0, 10);
  const ages = [0, 119_000, 120_000, 7_199_000, 7_200_000, 48 * 3_600_000, 90 * 24 * 3_600_000].map((ms) => ageText(now - ms, now));
  assert.deepEqual(ages, ["0s", "119s", "2m", "119m", "2h", "2d", "90d"]);
  assert.equal(ageText("2026-01-09T23:59:30Z", now), "30s");
});

test("what is in the near future is new, and what is no time has no age", () => {
  assert.equal(ageText(1000, 0), "0s");
  assert.deepEqual([ageText(undefined, 0), ageText("yesterday", 0)], ["", ""]);
});
