import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import fc from "fast-check";
import { exponentialBackoff, fastThenSlow, slowestOf, tokenBucket, withMaxWait } from "./rate-limiter.ts";
import { WorkQueue } from "./work-queue.ts";
import type { KeyLease } from "./work-queue.ts";

/** Takes all keys that wait, returning each at once. */
function drain(queue: WorkQueue<string>): string[] {
  const keys: string[] = [];
  for (let lease = queue.tryTake(); lease !== undefined; lease = queue.tryTake()) {
    keys.push(lease.key);
    lease[Symbol.dispose]();
  }
  return keys;
}

test("[QUE1] a key that waits is not added a second time; keys come in the order of their arrival", () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock() });
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  assert.equal(queue.size, 3);
  assert.deepEqual(drain(queue), ["a", "b", "c"]);
});

test("[QUE2] a key is held by one worker at a time, and one that is added meanwhile comes again", async () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock() });
  queue.add("a");
  const lease = queue.tryTake();
  queue.add("a");
  queue.add("a");
  assert.equal(queue.tryTake(), undefined);
  const waiting = queue.take();
  lease?.[Symbol.dispose]();
  lease?.[Symbol.dispose]();
  const again = await waiting;
  assert.equal(again?.key, "a");
  again?.[Symbol.dispose]();
  assert.deepEqual([queue.size, queue.leased], [0, 0]);
});

test("[QUE3] a delayed key comes at its time, and of several times at the earliest; there is one timer for all", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  queue.addAfter("a", 5000);
  queue.addAfter("b", 1000);
  queue.addAfter("a", 3000);
  queue.addAfter("a", 4000);
  queue.addAfter("c", 2000);
  queue.cancelDelay("c");
  assert.deepEqual([clock.pending, queue.delayed, queue.nextDueInMs], [1, 2, 1000]);
  await clock.advance(1000);
  assert.deepEqual(drain(queue), ["b"]);
  await clock.advance(1999);
  assert.deepEqual(drain(queue), []);
  await clock.advance(1);
  assert.deepEqual(drain(queue), ["a"]);
  assert.deepEqual([clock.pending, queue.nextDueInMs], [0, undefined]);
});

test("[QUE13] a key rests after a worker has had it: what adds it meanwhile brings it once, when the rest is over", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock, paceMs: 2000 });
  queue.add("a");
  const lease = queue.tryTake();
  queue.add("a");
  lease?.[Symbol.dispose]();
  await clock.advance(1000);
  queue.add("a");
  queue.add("b");
  assert.deepEqual(drain(queue), ["b"]);
  assert.deepEqual([queue.size, queue.nextDueInMs], [0, 1000]);
  await clock.advance(1000);
  assert.deepEqual(drain(queue), ["a"]);
  await clock.advance(2000);
  queue.add("a");
  assert.deepEqual(drain(queue), ["a"]);
});

test("[QUE13] a retry waits for the end of the rest, and a time that comes later is kept", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock, paceMs: 2000 });
  queue.add("a");
  const lease = queue.tryTake();
  queue.addRateLimited("a");
  lease?.[Symbol.dispose]();
  await clock.advance(1999);
  assert.deepEqual(drain(queue), []);
  await clock.advance(1);
  assert.deepEqual(drain(queue), ["a"]);
  queue.addAfter("a", 60_000);
  queue.add("a");
  await clock.advance(2000);
  assert.deepEqual(drain(queue), ["a"]);
  assert.equal(queue.dueInMs("a"), 58_000);
});

test("[QUE13] a closed queue does not wait for what rests", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock, paceMs: 2000 });
  queue.add("a");
  const lease = queue.tryTake();
  queue.add("a");
  const drained = queue.close();
  lease?.[Symbol.dispose]();
  await drained;
  assert.deepEqual([queue.delayed, clock.pending], [0, 0]);
});

test("[QUE14] a key that may not come before a time does not, whatever adds it", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  queue.add("a");
  const lease = queue.tryTake();
  queue.addNotBefore("a", 5000);
  queue.add("a");
  lease?.[Symbol.dispose]();
  queue.add("a");
  await clock.advance(4999);
  queue.add("a", 3);
  assert.deepEqual(drain(queue), []);
  const taken = queue.take();
  await clock.advance(1);
  (await taken)?.[Symbol.dispose]();
  assert.deepEqual(drain(queue), []);
  queue.add("a");
  assert.deepEqual([drain(queue), queue.delayed, clock.pending], [["a"], 0, 0]);
});

test("[QUE4] backoff doubles from 5 ms to 2 min for each key by itself, and begins anew when the key is forgotten", () => {
  const limiter = exponentialBackoff<string>();
  const delays = Array.from({ length: 20 }, () => limiter.delayMs("a"));
  assert.deepEqual(delays.slice(0, 4), [5, 10, 20, 40]);
  assert.equal(delays.at(-1), 120_000);
  assert.equal(limiter.delayMs("b"), 5);
  assert.equal(limiter.attempts("a"), 20);
  limiter.forget("a");
  assert.deepEqual([limiter.attempts("a"), limiter.delayMs("a")], [0, 5]);
});

test("[QUE10] the first attempts of a key are quick and those after them slow, until it is forgotten; no attempt waits for longer than it may", () => {
  const limiter = fastThenSlow<string>({ fast: "1s", slow: "1m", fastAttempts: 2 });
  const delays = (key: string, of = limiter): number[] => Array.from({ length: 4 }, () => of.delayMs(key));
  assert.deepEqual(delays("a"), [1000, 1000, 60_000, 60_000]);
  assert.equal(limiter.delayMs("b"), 1000);
  assert.equal(limiter.attempts("a"), 4);
  limiter.forget("a");
  assert.equal(limiter.delayMs("a"), 1000);
  const bounded = withMaxWait(exponentialBackoff<string>({ base: "1s" }), "3s");
  assert.deepEqual(delays("c", bounded), [1000, 2000, 3000, 3000]);
  assert.equal(bounded.attempts("c"), 4);
  bounded.forget("c");
  assert.equal(bounded.delayMs("c"), 1000);
});

test("[QUE11] it is known how many keys of each priority wait", () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock() });
  for (const [key, priority] of [
    ["a", 0],
    ["b", -1],
    ["c", -1],
    ["b", 0],
  ] as const)
    queue.add(key, priority);
  assert.deepEqual(
    [...queue.sizes],
    [
      [0, 2],
      [-1, 1],
    ],
  );
  queue.tryTake();
  assert.deepEqual(
    [...queue.sizes],
    [
      [0, 1],
      [-1, 1],
    ],
  );
});

test("[QUE5] a token bucket lets a burst pass and then so many a second, and limiters combine to the slowest", async () => {
  const clock = new ManualClock();
  const bucket = tokenBucket<string>(clock, { perSecond: 10, burst: 2 });
  assert.deepEqual([bucket.delayMs("a"), bucket.delayMs("b"), bucket.delayMs("c"), bucket.delayMs("d")], [0, 0, 100, 200]);
  await clock.advance(1000);
  const both = slowestOf(exponentialBackoff<string>(), bucket);
  assert.deepEqual([both.delayMs("a"), both.delayMs("a"), both.delayMs("a")], [5, 10, 100]);
  both.forget("a");
  assert.equal(both.attempts("a"), 0);
});

test("[QUE6] a priority is a head start of 10 s a step: a flow of higher priority delays a key by no more than that", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  queue.add("old", -1);
  let waitedMs = -1;
  // Every 100 ms one key of a higher priority comes, and one key is worked on.
  for (let step = 0; waitedMs < 0 && step < 1000; step++) {
    queue.add(`new-${step}`);
    const lease = queue.tryTake();
    if (lease?.key === "old") waitedMs = clock.monotonic();
    lease?.[Symbol.dispose]();
    await clock.advance(100);
  }
  assert.equal(waitedMs, 10_000 + 100);
});

test("[QUE6] without a backlog of its own age, the higher priority is next, and a key that waits takes the highest it is added with", () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock() });
  queue.add("low", -1);
  queue.add("raised", -1);
  queue.add("normal");
  queue.add("raised");
  queue.add("normal", -1);
  queue.add("high", 1);
  assert.deepEqual(drain(queue), ["high", "normal", "raised", "low"]);
});

test("[QUE6] a key of no use of a priority comes all the same: the lowest there can be last, and one that is no number as any other", () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock() });
  queue.add("last", -Infinity);
  for (const key of ["a", "b"]) queue.add(key, Number.NaN);
  queue.add("c");
  assert.deepEqual(drain(queue), ["a", "b", "c", "last"]);
  assert.deepEqual(
    [...queue.sizes],
    [
      [0, 0],
      [-Infinity, 0],
    ],
  );
});

test("[QUE7] a closed queue takes no keys, drops delayed ones, hands out what is there, and is drained when all leases are returned", async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  queue.add("a");
  queue.add("b");
  queue.addAfter("c", 10);
  const lease = queue.tryTake();
  queue.add("a");
  let isDrained = false;
  const closed = queue.close().then(() => (isDrained = true));
  queue.add("d");
  lease?.[Symbol.dispose]();
  assert.deepEqual([clock.pending, queue.delayed], [0, 0]);
  const [b, again] = [await queue.take(), await queue.take()];
  assert.deepEqual([b?.key, again?.key, await queue.take()], ["b", "a", undefined]);
  b?.[Symbol.dispose]();
  await clock.advance(0);
  assert.equal(isDrained, false);
  again?.[Symbol.dispose]();
  await closed;
});

test("[QUE8] the observer is told of each key that begins to wait, is taken, is returned and is retried", async () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const queue = new WorkQueue<string>({
    clock,
    observer: {
      added: () => told.push("added"),
      taken: (waitedMs) => told.push(`taken ${waitedMs}`),
      done: (workedMs) => told.push(`done ${workedMs}`),
      retried: () => told.push("retried"),
    },
  });
  queue.add("a");
  queue.add("a");
  await clock.advance(7);
  const lease = queue.tryTake();
  await clock.advance(3);
  assert.deepEqual(queue.workedMs, [3]);
  lease?.[Symbol.dispose]();
  queue.addRateLimited("a");
  await clock.advance(5);
  assert.deepEqual(told, ["added", "taken 7", "done 3", "retried", "added"]);
});

type Step = { readonly type: "Add" | "Retry" | "Forget"; readonly key: string } | { readonly type: "Take" | "Return" | "Wait" };

test("[QUE9] whatever is done with a queue: no key is lost, none is held twice, and idle keys are forgotten", async () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ type: fc.constantFrom("Add", "Retry", "Forget"), key }),
    fc.record({ type: fc.constantFrom("Take", "Return", "Wait") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new ManualClock();
      const queue = new WorkQueue<string>({ clock });
      /** What is still owed to each key. */
      const owed = new Set<string>();
      const held: KeyLease<string>[] = [];
      const take = (): void => {
        const lease = queue.tryTake();
        if (lease === undefined) return;
        assert.ok(!held.some(({ key: other }) => other === lease.key), `${lease.key} is held twice`);
        owed.delete(lease.key);
        held.push(lease);
      };
      for (const each of steps) {
        if (each.type === "Add" || each.type === "Retry") owed.add(each.key);
        if (each.type === "Add") queue.add(each.key);
        else if (each.type === "Retry") queue.addRateLimited(each.key);
        else if (each.type === "Forget") queue.forget(each.key);
        else if (each.type === "Take") take();
        else if (each.type === "Return") held.shift()?.[Symbol.dispose]();
        else if (each.type === "Wait") await clock.advance(50);
      }
      for (const lease of held.splice(0)) lease[Symbol.dispose]();
      await clock.advance(10_000_000);
      for (let lease = queue.tryTake(); lease !== undefined; lease = queue.tryTake()) {
        owed.delete(lease.key);
        lease[Symbol.dispose]();
      }
      assert.deepEqual([...owed], []);
      assert.deepEqual([queue.size, queue.delayed, queue.leased, clock.pending], [0, 0, 0, 0]);
    }),
    { numRuns: 200 },
  );
});

test("[QUE9] however many priorities there were, few are remembered", () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  for (let priority = 0; priority < 1000; priority++) {
    queue.add("a", priority / 7);
    queue.add("a", priority / 5);
    queue.add(`b${priority}`, -priority);
    if (priority % 2 === 0) assert.equal(drain(queue)[0], "a");
  }
  drain(queue);
  assert.ok(queue.sizes.size <= 16, String(queue.sizes.size));
  queue.add("c", 3);
  assert.deepEqual([queue.sizes.get(3), drain(queue)], [1, ["c"]]);
});

test("[QUE9] delays that are put, moved and taken back in any order end in the order of their times", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.nat(1000), fc.boolean()), { maxLength: 60 }), async (puts) => {
      const clock = new ManualClock();
      const queue = new WorkQueue<string>({ clock });
      const due = new Map<string, number>();
      for (const [id, delayMs, isCancelled] of puts) {
        const key = String(id);
        if (isCancelled) {
          queue.cancelDelay(key);
          due.delete(key);
        } else {
          queue.addAfter(key, delayMs + 1);
          due.set(key, Math.min(due.get(key) ?? Infinity, delayMs + 1));
        }
      }
      assert.equal(queue.nextDueInMs, due.size === 0 ? undefined : Math.min(...due.values()));
      const came: number[] = [];
      while (queue.nextDueInMs !== undefined) {
        await clock.advance(queue.nextDueInMs);
        for (const key of drain(queue)) came.push(due.get(key) ?? -1);
      }
      assert.deepEqual(
        came,
        [...due.values()].toSorted((left, right) => left - right),
      );
    }),
    { numRuns: 100 },
  );
});
