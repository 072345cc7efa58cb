import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { TransportError } from "../transport-error.ts";
import { WatchedFile } from "./watched-file.ts";

test("[CRED1] a file is read again after ten seconds, when it is needed", async () => {
  using folder = temporaryFolder();
  const clock = new ManualClock();
  const file = new WatchedFile(folder.write("token", "one"), "token", clock);
  assert.equal(await file.read(), "one");
  folder.write("token", "two");
  await clock.advance(9999);
  assert.equal(await file.read(), "one");
  await clock.advance(1);
  assert.equal(await file.read(), "two");
  assert.equal(clock.pending, 0);
});

test("[CRED2] what expired is read at once", async () => {
  using folder = temporaryFolder();
  const file = new WatchedFile(folder.write("token", "one"), "token", new ManualClock());
  await file.read();
  folder.write("token", "two");
  file.expire();
  assert.equal(await file.read(), "two");
});

test("[CRED2] so is what expired while it was being read: that may be what was there before", async () => {
  using folder = temporaryFolder();
  const file = new WatchedFile(folder.write("token", "one"), "token", new ManualClock());
  const before = file.read();
  file.expire();
  assert.notEqual(file.read(), before);
  file.expire();
  await before;
  folder.write("token", "two");
  assert.equal(await file.read(), "two");
});

test("[CRED3] while a file is gone or empty, its last text stands", async () => {
  using folder = temporaryFolder();
  const clock = new ManualClock();
  const file = new WatchedFile(folder.write("token", "one"), "token", clock);
  await file.read();
  rmSync(file.path);
  await clock.advance(10_000);
  assert.equal(await file.read(), "one");
  folder.write("token", "");
  await clock.advance(10_000);
  assert.equal(await file.read(), "one");
});

test("[CRED4] a file that was never there, or never had anything, is an error that names it", async () => {
  using folder = temporaryFolder();
  const clock = new ManualClock();
  const isUnreadable =
    (message: RegExp) =>
    (error: unknown): boolean =>
      error instanceof TransportError && error.reason === "Unauthenticated" && message.test(error.message);
  await assert.rejects(
    async () => new WatchedFile(`${folder.path}/none`, "token", clock).read(),
    isUnreadable(/cannot read the token in .*\/none \(ENOENT\)/),
  );
  await assert.rejects(
    async () => new WatchedFile(folder.write("empty", "\n"), "token", clock).read(),
    isUnreadable(/the token in .*\/empty is empty/),
  );
});
