import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./system-clock.ts";

test("[CLK6] monotonic time does not go back, and wall time is of this age", async () => {
  const before = systemClock.monotonic();
  await systemClock.sleep(0);
  assert.ok(systemClock.monotonic() >= before);
  assert.ok(systemClock.now() > Date.UTC(2025, 0, 1));
});

test("[CLK4] a timer fires once, and not at all when it is disposed of", async () => {
  let fired = 0;
  systemClock.timer(0, () => fired++);
  systemClock.timer(0, () => (fired += 100))[Symbol.dispose]();
  await systemClock.sleep(0);
  assert.equal(fired, 1);
});

test("[CLK7] a delay beyond what a timer of Node can hold does not fire at once", async () => {
  let fired = false;
  using _timer = systemClock.timer(2 ** 31 + 1, () => (fired = true));
  using _endless = systemClock.timer(Infinity, () => (fired = true));
  await systemClock.sleep(0);
  assert.equal(fired, false);
});

test("[CLK5] a sleep ends with the reason of its signal", async () => {
  const controller = new AbortController();
  const sleep = systemClock.sleep(2 ** 40, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(sleep, new Error("enough"));
});
