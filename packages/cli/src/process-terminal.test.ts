import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
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
