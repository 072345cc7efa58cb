import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { backoffMs } from "./backoff.ts";

test("a delay is at least half of the doubled one, at most all of it, and never beyond the ceiling", () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, chance) => {
      const fullMs = Math.min(30_000, 500 * 2 ** attempt);
      const delayMs = backoffMs(attempt, { baseMs: 500, maxMs: 30_000 }, { next: () => chance });
      assert.ok(delayMs >= fullMs / 2 && delayMs <= fullMs, `${delayMs} of ${fullMs}`);
    }),
  );
});
