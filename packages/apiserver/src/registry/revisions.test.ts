import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import { waitForRevision } from "./revisions.ts";

test("who waited for a revision leaves nothing on the signal of the request", async () => {
  const clock = new ManualClock();
  await using storage = createMemoryStorage({ clock });
  const { signal } = new AbortController();
  const next = storage.currentRevision + 1;
  const reached = waitForRevision(storage, next, clock, signal);
  await storage.put("/registry/a", 0, () => new Uint8Array());
  await reached;
  const refused = assert.rejects(waitForRevision(storage, next + 1, clock, signal), { code: 504 });
  await clock.advance(3000);
  await refused;
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("who is gone already does not wait for a revision", async () => {
  const clock = new ManualClock();
  await using storage = createMemoryStorage({ clock });
  await assert.rejects(waitForRevision(storage, storage.currentRevision + 1, clock, AbortSignal.abort()), { code: 504 });
});
