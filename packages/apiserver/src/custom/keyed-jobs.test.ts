import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import type { TellTrouble, Trouble } from "../trouble.ts";
import { KeyedJobs } from "./keyed-jobs.ts";
import type { KeyedJobsOptions } from "./keyed-jobs.ts";

function optionsOf(clock: ManualClock, tell: TellTrouble = () => assert.fail()): KeyedJobsOptions {
  return { clock, kind: "Thing", tell };
}

test("a job runs at once, and never twice at the same time for one key", async () => {
  const clock = new ManualClock();
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await using jobs = new KeyedJobs(optionsOf(clock), async (key) => {
    started.push(key);
    await promise;
  });
  jobs.add("a");
  jobs.add("b");
  jobs.add("a");
  jobs.add("a");
  assert.deepEqual(started, ["a", "b"]);
  resolve();
  await clock.advance(0);
  assert.deepEqual(started, ["a", "b", "a"]);
});

test("[KJ1] a job that fails is tried again each second; the second failure in a row is told, with its key", async () => {
  const clock = new ManualClock();
  const troubles: Trouble[] = [];
  const outcomes = ["fails", "works", "fails", "fails", "fails", "works"];
  let runs = 0;
  await using jobs = new KeyedJobs(
    optionsOf(clock, (trouble) => troubles.push(trouble)),
    async () => {
      if (outcomes[runs++] === "fails") throw new Error(`not in run ${runs}`);
    },
  );
  jobs.add("a");
  await clock.advance(999);
  assert.equal(runs, 1);
  await clock.advance(1);
  assert.equal(runs, 2);
  assert.deepEqual(troubles, []);
  jobs.add("a");
  await clock.advance(10_000);
  assert.equal(runs, 6);
  assert.deepEqual(troubles, [{ kind: "Thing", object: "a", error: new Error("not in run 4") }]);
});

test("[KJ2] a key that is given while its job runs gets another run at once, also when that fails", async () => {
  const clock = new ManualClock();
  let runs = 0;
  await using jobs = new KeyedJobs(optionsOf(clock), async () => {
    if (++runs > 1) return;
    jobs.add("a");
    throw new Error("not yet");
  });
  jobs.add("a");
  await clock.advance(0);
  assert.equal(runs, 2);
  assert.equal(clock.pending, 0);
});

test("once disposed of, jobs end and none is started; no timer is left", async () => {
  const clock = new ManualClock();
  const ended: string[] = [];
  const jobs = new KeyedJobs(optionsOf(clock), async (key, signal) => {
    if (key === "fails") throw new Error("never");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    ended.push(key);
  });
  jobs.add("waits");
  jobs.add("fails");
  await clock.advance(0);
  assert.equal(clock.pending, 1);
  await jobs[Symbol.asyncDispose]();
  jobs.add("late");
  assert.deepEqual(ended, ["waits"]);
  assert.equal(clock.pending, 0);
});
