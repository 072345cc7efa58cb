import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, inTime } from "./eventually.ts";
import { ManualClock } from "./manual-clock.ts";

test("what is not there yet is looked for until it is", async () => {
  const clock = new ManualClock();
  let looks = 0;
  const found = eventually("the third look", async () => (++looks < 3 ? undefined : looks), clock);
  await clock.advance(1000);
  assert.equal(await found, 3);
  assert.equal(clock.pending, 0);
});

test("after two minutes it is said what was waited for", async () => {
  const clock = new ManualClock();
  const failed = assert.rejects(
    eventually("the moon is blue", async () => false, clock),
    /^Error: not so after 120 s: the moon is blue$/,
  );
  await clock.advance(120_000);
  await failed;
});

test("what comes is waited for, for two minutes at most", async () => {
  const clock = new ManualClock();
  assert.equal(await inTime("a word", Promise.resolve("word"), clock), "word");
  await assert.rejects(inTime("a word", Promise.reject(new RangeError("none")), clock), RangeError);
  assert.equal(clock.pending, 0);
  const failed = assert.rejects(inTime("a word", new Promise(() => {}), clock), /^Error: not so after 120 s: a word$/);
  await clock.advance(120_000);
  await failed;
});
