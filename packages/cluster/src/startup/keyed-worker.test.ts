import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { KeyedWorker } from "./keyed-worker.ts";

test("work that fails in whatever way is tried again later, and keeps nothing else from being done", async () => {
  const clock = new ManualClock();
  const done: string[] = [];
  let isBroken = true;
  using worker = new KeyedWorker(clock, async (key) => {
    if (key === "bad" && isBroken) throw new Error("the disk is full");
    done.push(key);
    return "Done";
  });
  for (const key of ["bad", "good"]) worker.add(key);
  await worker.settled();
  assert.deepEqual(done, ["good"]);
  isBroken = false;
  await clock.advance(1000);
  await worker.settled();
  assert.deepEqual(done, ["good", "bad"]);
});
