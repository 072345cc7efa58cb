import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { Day } from "../testing/day.ts";

test("[DAY1] a day without changes is a renewal of the lease every two seconds, a look at each object when its time comes, retries with backoff, and no other write", async (t) => {
  const [day]: Day[] = await once(new Worker(new URL("../testing/day.ts", import.meta.url)), "message");
  const { firstWrites, writes, renewals, terms, looks, tookMs } = day ?? assert.fail();
  t.diagnostic(`the day took ${Math.round(tookMs)} ms`);
  assert.deepEqual([firstWrites, writes], [["PATCH bars/resting/status"], []]);
  assert.deepEqual([renewals, terms], [1 + 86_400 / 2, 1]);
  assert.equal(looks.resting, 1 + 24 * 6);
  // Up to 2 min it doubles, in 15 steps and 3 minutes; from then on it is one each 2 min, beside those of every ten minutes.
  const retries = looks.failing - 24 * 6;
  assert.ok(retries > 700 && retries < 740, `${retries} retries`);
});
