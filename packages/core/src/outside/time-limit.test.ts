import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "../testing.ts";
import { TimeLimit } from "./time-limit.ts";

test("[CLK8] what takes too long is told, when its own time is over, and once", async () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock, 100);
  const over: string[] = [];
  limit.begin(() => over.push("a"));
  await clock.advance(40);
  limit.begin(() => over.push("b"));
  await clock.advance(59);
  assert.deepEqual(over, []);
  await clock.advance(1);
  assert.deepEqual(over, ["a"]);
  await clock.advance(39);
  assert.deepEqual(over, ["a"]);
  await clock.advance(1);
  assert.deepEqual([over, clock.pending], [["a", "b"], 0]);
});

test("[CLK8] what begins when another is over has all of its time", async () => {
  const clock = new ManualClock();
  const limit = new TimeLimit(clock, 100);
  const over: string[] = [];
  limit.begin(() => limit.begin(() => over.push("later")));
  await clock.advance(50);
  limit.begin(() => over.push("soon"));
  await clock.advance(149);
  assert.deepEqual(over, ["soon"]);
  await clock.advance(1);
  assert.deepEqual([over, clock.pending], [["soon", "later"], 0]);
});

test("[CLK8] whatever begins and ends: those that do not end in time are told at their time, there is one timer, and none at the end", async () => {
  const step = fc.oneof(fc.constant("begin" as const), fc.nat(9), fc.record({ waitMs: fc.nat(60) }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = new ManualClock();
      const limit = new TimeLimit(clock, 100);
      const begun: { readonly dueMs: number; readonly limited: Disposable; isOver: boolean; hasEnded: boolean }[] = [];
      for (const each of steps) {
        if (typeof each === "object") await clock.advance(each.waitMs);
        else if (each === "begin") {
          const entry = {
            dueMs: clock.monotonic() + 100,
            isOver: false,
            hasEnded: false,
            limited: limit.begin(() => {
              assert.equal(clock.monotonic(), entry.dueMs);
              assert.ok(!entry.isOver && !entry.hasEnded);
              entry.isOver = true;
            }),
          };
          begun.push(entry);
        } else {
          const entry = begun[each];
          entry?.limited[Symbol.dispose]();
          if (entry?.isOver === false) entry.hasEnded = true;
        }
        assert.ok(clock.pending <= 1);
        for (const entry of begun) assert.equal(entry.isOver, !entry.hasEnded && entry.dueMs <= clock.monotonic());
      }
      await clock.advance(100);
      assert.ok(begun.every(({ isOver, hasEnded }) => isOver !== hasEnded));
      assert.equal(clock.pending, 0);
    }),
  );
});
