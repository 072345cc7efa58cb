import assert from "node:assert/strict";
import { test } from "node:test";
import { slowStart } from "./slow-start.ts";

/** Runs to its end and tells how many were under way at once, batch by batch. */
async function batches(count: number, failAt = Infinity): Promise<readonly number[]> {
  const sizes: number[] = [];
  let begun = 0;
  let inBatch = 0;
  const act = async (): Promise<void> => {
    if (inBatch++ === 0) queueMicrotask(() => (sizes.push(inBatch), (inBatch = 0)));
    if (++begun === failAt) throw new Error("refused");
  };
  await slowStart(count, act).catch((error: unknown) => assert.match(String(error), /refused/));
  return sizes;
}

test("batches double up to a limit, until nothing is left", async () => {
  assert.deepEqual(await batches(0), []);
  assert.deepEqual(await batches(1), [1]);
  assert.deepEqual(await batches(10), [1, 2, 4, 3]);
  assert.deepEqual(await batches(50), [1, 2, 4, 8, 16, 16, 3]);
});

test("a failure ends it after its batch", async () => {
  assert.deepEqual(await batches(10, 1), [1]);
  assert.deepEqual(await batches(10, 3), [1, 2]);
});
