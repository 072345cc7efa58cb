import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kaji/core/testing";
import { exponentialBackoff } from "./backoff.ts";

test("[REF8] delays double from half a second to half a minute, less up to half of it, and start over when all is well", () => {
  const backoff = exponentialBackoff(seededRandom(1));
  for (let round = 0; round < 2; round++) {
    for (const mostMs of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]) {
      const delayMs = backoff.nextMs();
      assert.ok(delayMs <= mostMs && delayMs > mostMs / 2, `${delayMs} of ${mostMs}`);
    }
    backoff.reset();
  }
});
