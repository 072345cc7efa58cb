import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { MortalClock } from "./mortal-clock.ts";

test("what a killed process waits for never comes, and never fails", async () => {
  const world = new ManualClock();
  const clock = new MortalClock(world);
  const happened: string[] = [];
  clock.timer(10, () => happened.push("timer"));
  void clock.sleep(20).then(
    () => happened.push("slept"),
    () => happened.push("rejected"),
  );
  await world.advance(10);
  clock.kill();
  clock.timer(1, () => happened.push("after death"));
  await world.advance(1000);
  assert.deepEqual(happened, ["timer"]);
});

test("a sleep that is aborted rejects with the reason", async () => {
  const end = new AbortController();
  const slept = new MortalClock(new ManualClock()).sleep(10, end.signal);
  end.abort(new Error("enough"));
  await assert.rejects(slept, /enough/);
});
