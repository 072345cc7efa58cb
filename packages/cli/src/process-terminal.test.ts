import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const program = `
import { processTerminal } from ${JSON.stringify(new URL("process-terminal.ts", import.meta.url).href)};
const terminal = processTerminal();
process.stdin.resume().on("end", () => {
  process.stdout.once("error", () => terminal.err("went on\\n"));
  terminal.out("what nobody reads\\n");
});
`;

test("who reads no further, as head does, does not stop what is being done", async () => {
  const child = spawn(process.execPath, ["--conditions=@kaji/source", "--input-type=module", "--eval", program]);
  const exited = once(child, "exit");
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  assert.deepEqual([await text(child.stderr), await exited], ["went on\n", [0, null]]);
});

test(
  "a full disk below standard output is told in one line, and does not stop what is being done",
  { skip: process.platform !== "linux" },
  async () => {
    const twice = `${program}process.stdin.on("end", () => setImmediate(() => terminal.out("nor this\\n")));`;
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, ["--conditions=@kaji/source", "--input-type=module", "--eval", twice], {
      stdio: ["pipe", full, "pipe"],
    });
    closeSync(full);
    const exited = once(child, "exit");
    child.stdin?.end();
    assert.ok(child.stderr);
    const told = "kaji: standard output cannot be written: ENOSPC: no space left on device, write\nwent on\n";
    assert.deepEqual([await text(child.stderr), await exited], [told, [1, null]]);
  },
);
