import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import type { LogLine } from "@kaji/runtime";
import { silentLog } from "../loops/silent-log.ts";
import { KeyedWorker } from "./keyed-worker.ts";

test("[LOOP8] work that fails in whatever way is told once, is tried again later, and keeps nothing else from being done", async () => {
  const lines: unknown[] = [];
  const told = { log: { ...silentLog, warn: (...line: LogLine) => void lines.push(line) }, kind: "Namespace" };
  const clock = new ManualClock();
  const done: string[] = [];
  let isBroken = true;
  using worker = new KeyedWorker(clock, told, async (key) => {
    if (key === "bad" && isBroken) throw new Error("the disk is full");
    done.push(key);
    return "Done";
  });
  for (const key of ["bad", "good"]) worker.add(key);
  await worker.settled();
  assert.deepEqual(done, ["good"]);
  assert.deepEqual(lines, []);
  for (let again = 0; again < 3; again++) {
    await clock.advance(1000);
    await worker.settled();
  }
  const err = new Error("the disk is full");
  const line = [{ err, kind: "Namespace", object: "bad" }, "a controller of the API server failed; will retry"];
  assert.deepEqual(lines, [line]);
  isBroken = false;
  await clock.advance(1000);
  await worker.settled();
  assert.deepEqual(done, ["good", "bad"]);
});
