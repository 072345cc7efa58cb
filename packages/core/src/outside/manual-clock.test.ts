import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "./manual-clock.ts";
import { seededRandom } from "./seeded-random.ts";

test("[CLK1] time stands still until it is advanced", async () => {
  const clock = new ManualClock(1000);
  assert.deepEqual([clock.now(), clock.monotonic()], [1000, 0]);
  await clock.advance(250);
  assert.deepEqual([clock.now(), clock.monotonic()], [1250, 250]);
});

test("[CLK2] timers fire in order of their time, those of one moment in the order they were made, each at its moment", async () => {
  const clock = new ManualClock(0);
  const fired: string[] = [];
  for (const [name, delayMs] of [
    ["late", 30],
    ["a", 10],
    ["b", 10],
    ["now", 0],
    ["past", -5],
  ] as const) {
    clock.timer(delayMs, () => fired.push(`${name}@${clock.now()}`));
  }
  await clock.advance(29);
  assert.deepEqual(fired, ["now@0", "past@0", "a@10", "b@10"]);
  await clock.advance(1);
  assert.equal(fired.at(-1), "late@30");
});

test("[CLK3] work that a timer releases is done before time goes on, so a chain of sleeps completes within the span", async () => {
  const clock = new ManualClock(0);
  const moments: number[] = [];
  const chain = (async () => {
    for (let step = 0; step < 5; step++) {
      await clock.sleep(10);
      moments.push(clock.now());
    }
  })();
  await clock.advance(50);
  await chain;
  assert.deepEqual(moments, [10, 20, 30, 40, 50]);
});

test("[CLK3] the next moment is done with when all its timers have fired, and what they released has come to rest", async () => {
  const clock = new ManualClock(0);
  const moments: string[] = [];
  const note = (text: string): void => void moments.push(`${text}@${clock.now()}`);
  clock.timer(10, () => note("first"));
  clock.timer(10, () => void clock.sleep(0).then(() => note("released")));
  clock.timer(11, () => note("later"));
  await clock.advanceToNext();
  assert.deepEqual(moments, ["first@10", "released@10"]);
  await clock.advanceToNext();
  await clock.advanceToNext();
  assert.deepEqual([moments.at(-1), clock.now()], ["later@11", 11]);
});

test("[CLK10] who waits until a moment of either time gets there, however fine it is", async () => {
  for (const time of ["now", "monotonic"] as const) {
    const clock = new ManualClock();
    const random = seededRandom(1);
    for (let round = 0; round < 100; round++) {
      const dueMs = clock[time]() + 60_000 * random.next();
      let waits = 0;
      while (clock[time]() < dueMs && waits++ < 3) {
        clock.timer(dueMs - clock[time](), () => {});
        await clock.advanceToNext();
      }
      assert.ok(clock[time]() >= dueMs, `${time}() is ${clock[time]()} after ${waits} waits for ${dueMs}`);
    }
  }
});

test("[CLK4] a timer that is disposed of does not fire, also when another one does it in the same moment", async () => {
  const clock = new ManualClock(0);
  const fired: string[] = [];
  const first = clock.timer(10, () => {
    fired.push("first");
    second[Symbol.dispose]();
  });
  const second = clock.timer(10, () => fired.push("second"));
  clock.timer(5, () => fired.push("third"))[Symbol.dispose]();
  assert.deepEqual([clock.pending, clock.nextDueMs], [2, 10]);
  await clock.advance(10);
  first[Symbol.dispose]();
  assert.deepEqual([fired, clock.pending, clock.nextDueMs], [["first"], 0, undefined]);
});

test("[CLK6] time does not go back, also when two advance it at once", async () => {
  const clock = new ManualClock(0);
  await Promise.all([clock.advance(10), clock.advance(5)]);
  assert.equal(clock.monotonic(), 10);
});

test("[CLK5] a sleep ends with the reason of its signal, and leaves no timer behind", async () => {
  const clock = new ManualClock(0);
  const controller = new AbortController();
  const sleep = clock.sleep(10, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  await assert.rejects(sleep, reason);
  await assert.rejects(clock.sleep(10, controller.signal), reason);
  assert.equal(clock.pending, 0);
});

test("[CLK5] a sleep that ended does not listen to its signal any more", async () => {
  const clock = new ManualClock(0);
  const controller = new AbortController();
  const sleep = clock.sleep(10, controller.signal);
  assert.equal(getEventListeners(controller.signal, "abort").length, 1);
  await clock.advance(10);
  await sleep;
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

test("[CLK2] law: whatever is set and disposed of, the rest fires in order of time and making", async () => {
  const plans = fc.array(fc.record({ delayMs: fc.nat(50), kept: fc.boolean() }), { maxLength: 20 });
  const property = fc.asyncProperty(plans, async (plan) => {
    const clock = new ManualClock(0);
    const fired: number[] = [];
    const timers = plan.map(({ delayMs }, index) => clock.timer(delayMs, () => fired.push(index)));
    plan.forEach(({ kept }, index) => kept || timers[index]?.[Symbol.dispose]());
    await clock.advance(50);
    const expected = plan.map(({ delayMs, kept }, index) => ({ delayMs, kept, index })).filter(({ kept }) => kept);
    assert.deepEqual(
      fired,
      expected.toSorted((left, right) => left.delayMs - right.delayMs || left.index - right.index).map(({ index }) => index),
    );
  });
  await fc.assert(property, { seed: 11 });
});
