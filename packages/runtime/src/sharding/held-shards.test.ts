import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { HeldShards } from "./held-shards.ts";

const key = objectKey({ namespace: "default", name: "a" });

test("[SHARD5] a shard that is lost while it is drained is not held again", async () => {
  const clock = new ManualClock();
  const held = new HeldShards(1, () => {});
  held.gain([0]);
  using _reconcile = held.enter(key, () => {});
  const drained = held.drain(0, clock, 1000);
  held.lose(0, new Error("taken"));
  await clock.advance(1000);
  assert.equal(await drained, false);
  held.resume(0);
  assert.equal(held.holds(key), false);
  assert.throws(() => held.fence(key), /another replica may hold the shard of default\/a/);
});

test("[SHARD5] one that is still held is open again, and its objects are asked for", async () => {
  const clock = new ManualClock();
  const held = new HeldShards(1, () => {});
  held.gain([0]);
  using _reconcile = held.enter(key, () => {});
  const drained = held.drain(0, clock, 1000);
  await clock.advance(1000);
  assert.equal(await drained, false);
  assert.equal(held.holds(key), false);
  const gained: boolean[] = [];
  using _listening = held.onGained((isGained) => gained.push(isGained(key)));
  held.resume(0);
  assert.deepEqual([held.holds(key), gained], [true, [true]]);
});
