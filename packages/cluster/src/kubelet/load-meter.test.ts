import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { LoadMeter } from "./load-meter.ts";
import type { ProcessorLoad } from "./pod-runtime.ts";

test("[METRIC5] how busy processors are is the time of processors between two looks, 15 seconds apart", async () => {
  const clock = new ManualClock(1_000_000);
  let cpuMs: number | undefined = 0;
  using meter = new LoadMeter(clock, () => cpuMs);
  const load = (): ProcessorLoad | undefined => meter.load;
  cpuMs = 3000;
  assert.equal(load(), undefined, "nothing has been measured yet");
  await clock.advance(15_000);
  assert.deepEqual(load(), { cores: 0.2, atMs: 1_015_000, windowMs: 15_000 });
  cpuMs = 33_000;
  await clock.advance(14_999);
  assert.equal(load()?.cores, 0.2, "it stands until the next look");
  await clock.advance(1);
  assert.deepEqual(load(), { cores: 2, atMs: 1_030_000, windowMs: 15_000 });
  cpuMs = 10_000;
  await clock.advance(15_000);
  assert.equal(load(), undefined, "a part of it has ended, and took its time with it");
  cpuMs = 25_000;
  await clock.advance(15_000);
  assert.equal(load()?.cores, 1);
  cpuMs = undefined;
  await clock.advance(15_000);
  assert.equal(load()?.cores, 1, "what cannot be told is not measured");
});

test("[METRIC5] nothing is measured any more after its end", async () => {
  const clock = new ManualClock();
  let looks = 0;
  {
    using _meter = new LoadMeter(clock, () => looks++);
    await clock.advance(30_000);
  }
  await clock.advance(60_000);
  assert.equal(looks, 2);
});
