import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { ReadPace } from "./read-pace.ts";

/** How long is rested after each of so many reads, which are so far apart. */
async function rests(pace: ReadPace, clock: ManualClock, reads: number, bytes: number, apartMs: number): Promise<readonly number[]> {
  const all: number[] = [];
  for (let index = 0; index < reads; index++) {
    await clock.advance(apartMs);
    all.push(pace.restAfter(bytes));
  }
  return all;
}

test("[HTTP25] what comes little by little is read at once, also two events in the same moment", async () => {
  const clock = new ManualClock();
  const pace = new ReadPace(clock);
  assert.deepEqual(new Set(await rests(pace, clock, 1000, 2000, 1)), new Set([0]));
  assert.deepEqual(await rests(pace, clock, 2, 2000, 0), [0, 0]);
});

test("[HTTP25] while much arrives in small pieces there is a rest after each, and none after a large one or when it has become less", async () => {
  const clock = new ManualClock();
  const pace = new ReadPace(clock);
  assert.deepEqual(await rests(pace, clock, 6, 20_000, 1), [0, 0, 0, 4, 4, 4]);
  assert.deepEqual(await rests(pace, clock, 3, 100_000, 4), [0, 0, 0]);
  assert.deepEqual(await rests(pace, clock, 3, 30_000, 1), [4, 4, 4]);
  assert.deepEqual(await rests(pace, clock, 3, 2000, 4), [4, 0, 0]);
});
