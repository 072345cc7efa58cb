import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { createMemoryStorage } from "./memory-storage.ts";
import { storageContract } from "./storage-contract.test.ts";

storageContract({ open: createMemoryStorage, runs: 500 });

test("[STO20] in memory a write can be read as soon as it is made", () => {
  const storage = createMemoryStorage({ clock: new ManualClock() });
  void storage.put("/r/a", 0, () => Buffer.from("1"));
  assert.equal(storage.get("/r/a")?.modRevision, 2);
});

test("[STO21] a fork has the same entries and history, and goes its own way", async () => {
  const clock = new ManualClock();
  const storage = createMemoryStorage({ clock });
  for (const name of ["a", "b", "c"]) await storage.put(`/r/${name}`, 0, () => Buffer.from(name));
  await storage.delete("/r/c", 4);
  storage.compact(3);
  const fork = storage.fork({ clock });
  assert.deepEqual([fork.currentRevision, fork.compactedRevision], [5, 3]);
  assert.deepEqual(fork.list("/r/", { atRevision: 4 }), storage.list("/r/", { atRevision: 4 }));
  await fork.put("/r/a", 2, () => Buffer.from("forked"));
  await storage.delete("/r/b", 3);
  assert.equal(Buffer.from(storage.get("/r/a")?.bytes ?? []).toString(), "a");
  assert.equal(Buffer.from(fork.get("/r/b")?.bytes ?? []).toString(), "b");
  fork.compact(6);
  const revisions: number[] = [];
  storage.subscribe("/r/", 3, ({ revision }) => revisions.push(revision));
  assert.deepEqual(revisions, [4, 5, 6]);
});
