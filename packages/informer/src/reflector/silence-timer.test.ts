import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { SilenceTimer } from "./silence-timer.ts";

test("[REF7] silence is counted from what was heard last, and with the limit that was stated with it", async () => {
  const clock = new ManualClock();
  const silences: number[] = [];
  using timer = new SilenceTimer(clock, 30, () => void silences.push(clock.monotonic()));
  await clock.advance(29);
  timer.heard(10);
  await clock.advance(9);
  timer.heard(100);
  await clock.advance(99);
  assert.deepEqual([silences, clock.pending], [[], 1]);
  await clock.advance(1);
  assert.deepEqual([silences, clock.pending], [[138], 0]);
});

test("[INF6] disposed of, it leaves nothing", () => {
  const clock = new ManualClock();
  new SilenceTimer(clock, 30, () => assert.fail())[Symbol.dispose]();
  assert.equal(clock.pending, 0);
});
