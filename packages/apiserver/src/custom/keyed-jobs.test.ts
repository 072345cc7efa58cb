import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { KeyedJobs } from "./keyed-jobs.ts";

test("a job runs at once, and never twice at the same time for one key", async () => {
  const clock = new ManualClock();
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await using jobs = new KeyedJobs(
    clock,
    async (key) => {
      started.push(key);
      await promise;
    },
    assert.fail,
  );
  jobs.add("a");
  jobs.add("b");
  jobs.add("a");
  jobs.add("a");
  assert.deepEqual(started, ["a", "b"]);
  resolve();
  await clock.advance(0);
  assert.deepEqual(started, ["a", "b", "a"]);
});

test("a job that fails is reported and tried again", async () => {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  let runs = 0;
  await using jobs = new KeyedJobs(
    clock,
    async () => {
      runs++;
      if (runs === 1) throw new Error("not now");
    },
    (error, key) => errors.push([key, String(error)]),
  );
  jobs.add("a");
  await clock.advance(999);
  assert.equal(runs, 1);
  await clock.advance(1);
  assert.equal(runs, 2);
  assert.deepEqual(errors, [["a", "Error: not now"]]);
});

test("once disposed of, jobs end and none is started; no timer is left", async () => {
  const clock = new ManualClock();
  const ended: string[] = [];
  const jobs = new KeyedJobs(
    clock,
    async (key, signal) => {
      if (key === "fails") throw new Error("never");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      ended.push(key);
    },
    () => {},
  );
  jobs.add("waits");
  jobs.add("fails");
  await clock.advance(0);
  assert.equal(clock.pending, 1);
  await jobs[Symbol.asyncDispose]();
  jobs.add("late");
  assert.deepEqual(ended, ["waits"]);
  assert.equal(clock.pending, 0);
});
