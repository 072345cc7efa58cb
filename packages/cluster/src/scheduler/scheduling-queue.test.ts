import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { SchedulingQueue } from "./scheduling-queue.ts";

const [a, b, c] = ["a", "b", "c"].map((name) => objectKey({ name })) as [never, never, never];

function newQueue(): { readonly queue: SchedulingQueue; readonly clock: ManualClock; readonly woken: () => number } {
  const clock = new ManualClock();
  let count = 0;
  return { clock, queue: new SchedulingQueue({ clock, onReady: () => count++ }), woken: () => count };
}

test("the most important pod comes first, then the one that waits longest", () => {
  const { queue, woken } = newQueue();
  queue.add(a, 0);
  queue.add(b, 10);
  queue.add(c, 0);
  assert.deepEqual([queue.take(), queue.take(), queue.take(), queue.take()], [b, a, c, undefined]);
  assert.equal(woken(), 1);
});

test("a pod that is parked is woken by what may help it, and by nothing else", () => {
  const { queue } = newQueue();
  queue.park(a, 0, new Set(["NodeAdded"]));
  queue.wake("PodGone");
  assert.equal(queue.take(), undefined);
  queue.wake("NodeAdded");
  assert.equal(queue.take(), a);
});

test("a pod that failed comes back after 1 s, and after twice as long each time up to 10 s", async () => {
  const { queue, clock } = newQueue();
  for (const delayMs of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    queue.delay(a, 0);
    await clock.advance(delayMs - 1);
    assert.equal(queue.take(), undefined);
    await clock.advance(1);
    assert.equal(queue.take(), a);
  }
  queue.delay(a, 0);
  queue.delete(a);
  assert.equal(clock.pending, 0);
});
