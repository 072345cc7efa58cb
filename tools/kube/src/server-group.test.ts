import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import { ServerGroup } from "./server-group.ts";

const options = { clock: systemClock, timeoutMs: 60_000 };
const never = (): Promise<string> => Promise.resolve("it never will");

test("a program that ends at once fails the wait with its last lines", async () => {
  await using program = await script(`seq 1 20; echo "flag is unknown" >&2; exit 3`);
  await using group = await ServerGroup.create(options);
  const server = group.start(program.path, []);
  const tail = Array.from({ length: 14 }, (_, index) => `  ${index + 7}`).join("\n");
  await assert.rejects(group.untilReady(server, never), {
    message: `server ended with exit code 3; its last lines:\n${tail}\n  flag is unknown`,
  });
});

test("a program that says nothing before it ends is reported as silent", async () => {
  await using program = await script("kill -s TERM $$");
  await using group = await ServerGroup.create(options);
  const server = group.start(program.path, []);
  await assert.rejects(group.untilReady(server, never), { message: "server ended with SIGTERM; it printed nothing" });
});

test("a program that cannot be started fails the wait", async () => {
  await using group = await ServerGroup.create(options);
  const server = group.start("/nonexistent/server", []);
  await assert.rejects(group.untilReady(server, never), /^Error: server could not be started: spawn \/nonexistent\/server ENOENT$/);
});

test("the death of one server ends the wait for another", async () => {
  await using program = await script(`[ "$1" = stay ] || exit 1; exec sleep 1000`);
  await using group = await ServerGroup.create(options);
  const waited = group.start(program.path, ["stay"]);
  group.start(program.path, ["go"]);
  await assert.rejects(group.untilReady(waited, never), /server ended with exit code 1/);
});

test("a server that is started anew has the same flags, and the end of the one before it is no death", async () => {
  await using program = await script(`echo "$@"; exec sleep 1000`);
  await using group = await ServerGroup.create(options);
  const first = group.start(program.path, ["--some", "flag"]);
  const second = await group.restart(first);
  await group.untilReady(second, () => Promise.resolve(second.lastLines().includes("--some flag") ? undefined : "it has said nothing"));
  assert.deepEqual(group.pids, [second.pid]);
  assert.notEqual(second.pid, first.pid);
});

test("a server that is not ready in time is reported with the reason", async () => {
  await using program = await script("exec sleep 1000");
  await using group = await ServerGroup.create({ ...options, timeoutMs: 0 });
  const server = group.start(program.path, []);
  await assert.rejects(group.untilReady(server, never), { message: "server is not ready after 0 s: it never will; it printed nothing" });
});

test("a check that fails counts as not yet ready", async () => {
  await using program = await script("exec sleep 1000");
  await using group = await ServerGroup.create({ ...options, clock: { ...systemClock, sleep: async () => {} } });
  const answers = [
    (): Promise<string | undefined> => Promise.reject(new Error("refused")),
    (): Promise<string | undefined> => Promise.resolve(undefined),
  ];
  await group.untilReady(group.start(program.path, []), () => (answers.shift() ?? never)());
  assert.deepEqual(answers, []);
});

test("disposing of the group ends its work, kills its servers and removes its folder, once", async () => {
  await using program = await script("exec sleep 1000");
  const group = await ServerGroup.create(options);
  group.start(program.path, []);
  let ended = false;
  group.run(async (signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended = true;
  });
  await Promise.all([group[Symbol.asyncDispose](), group[Symbol.asyncDispose]()]);
  assert.ok(ended);
  assert.equal(existsSync(group.folder), false);
});

/** An executable file named `server` that runs the lines in a shell. */
async function script(lines: string): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const path = join(folder.path, "server");
  await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => folder.remove() };
}
