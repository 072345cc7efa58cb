import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock } from "@kaji/core/testing";
import { LaggingStorage } from "./lagging-storage.ts";

test("a storage that is behind shows the past, takes writes, and tells all that was missed when it catches up", async () => {
  await using storage = createMemoryStorage({ clock: new ManualClock() });
  const put = (key: string, expected: number) => storage.put(key, expected, (revision) => Buffer.from(String(revision)));
  await put("/registry/a", 0);
  const then = storage.currentRevision;
  await put("/registry/b", 0);
  const behind = new LaggingStorage(storage, then);
  const heard: string[] = [];
  behind.subscribe("/registry/", then, ({ key, revision }) => heard.push(`${key} ${revision}`));
  await behind.put("/registry/c", 0, () => Buffer.from("c"));
  assert.deepEqual(
    [behind.currentRevision, behind.count("/registry/"), behind.get("/registry/b"), storage.count("/registry/"), heard],
    [then, 1, undefined, 3, []],
  );
  behind.catchUp();
  assert.deepEqual([behind.count("/registry/"), heard], [3, [`/registry/b ${then + 1}`, `/registry/c ${then + 2}`]]);
});
