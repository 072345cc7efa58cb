import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import { acquireBuildLock } from "./build-lock.ts";

/** Where nobody is to be waited for. */
const alone = {
  clock: systemClock,
  onWait: (owner: number): void => assert.fail(`waited for ${owner}`),
};

test("the lock names its owner while it is held, and goes with it", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const path = join(folder.path, "new", "build.lock");
  {
    await using _lock = await acquireBuildLock(path, alone);
    assert.equal(readlinkSync(path), String(process.pid));
  }
  assert.equal(existsSync(path), false);
});

test("who finds the lock held waits until it is released", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const path = join(folder.path, "build.lock");
  const first = await acquireBuildLock(path, alone);
  const events: string[] = [];
  const clock = {
    ...systemClock,
    async sleep() {
      events.push("sleep");
      if (events.length === 3) await first[Symbol.asyncDispose]();
    },
  };
  await using _second = await acquireBuildLock(path, { clock, onWait: (owner) => events.push(`wait for ${owner}`) });
  assert.deepEqual(events, [`wait for ${process.pid}`, "sleep", "sleep"]);
  assert.equal(readlinkSync(path), String(process.pid));
});

test("the lock of a process that died is taken over", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const path = join(folder.path, "build.lock");
  const dead = spawn("true");
  await once(dead, "exit");
  symlinkSync(String(dead.pid), path);
  await using _lock = await acquireBuildLock(path, alone);
  assert.equal(readlinkSync(path), String(process.pid));
});

test("a lock file that names nobody is taken over", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  for (const [index, leave] of [(path: string) => writeFileSync(path, ""), (path: string) => symlinkSync("x", path)].entries()) {
    const path = join(folder.path, `${index}.lock`);
    leave(path);
    await using _lock = await acquireBuildLock(path, alone);
    assert.equal(readlinkSync(path), String(process.pid));
  }
});
