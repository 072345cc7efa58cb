import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOutcome } from "./command-outcome.ts";

const startMs = Date.UTC(2026, 0, 1, 9, 59, 58);

test("a command that can be foretold ends with its code after its time", () => {
  for (const [command, code, afterMs] of [
    [["true"], 0, 0],
    [["/bin/false"], 1, 0],
    [["sleep", "5"], 0, 5000],
    [["sleep", "1.5m"], 0, 90_000],
    [["sh", "-c", "exit 3"], 3, 0],
    [["/bin/sh", "-c", "sleep 2 && exit 7"], 7, 2000],
    [["bash", "-ec", "echo hi; sleep 1; false"], 1, 1000],
    [["sh", "-c", "false && sleep 100; exit 4"], 4, 0],
    [["sh", "-c", "false || sleep 3"], 0, 3000],
    [["sh", "-c", "true || sleep 3\nexit 2"], 2, 0],
    [["/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"], 0, 0],
    [["sh", "-c", ""], 0, 0],
    [["sh", "-c", "exit 300"], 44, 0],
  ] as const) {
    assert.deepEqual(commandOutcome(command, startMs).exit, { code, afterMs }, command.join(" "));
  }
});

test("a command that cannot be foretold runs on, and so does one that has a part like that", () => {
  for (const command of [
    [],
    ["nginx"],
    ["sleep", "infinity"],
    ["date", "+%s"],
    ["sh"],
    ["sh", "-c", "nginx -g 'daemon off;'"],
    ["sh", "-c", "echo hi; while true; do sleep 1; done"],
  ]) {
    assert.equal(commandOutcome(command, startMs).exit, undefined, command.join(" "));
  }
});

test("what is echoed is what was written until then", () => {
  assert.deepEqual(commandOutcome(["sh", "-c", 'echo "a b" c; echo d; serve'], startMs).lines, ["a b c", "d"]);
  assert.deepEqual(commandOutcome(["echo", "hello", "world"], startMs).lines, ["hello world"]);
});

test("the date is that of the moment at which it is asked for", () => {
  assert.deepEqual(commandOutcome(["date"], startMs).lines, ["Thu Jan  1 09:59:58 UTC 2026"]);
  assert.deepEqual(commandOutcome(["sh", "-c", "sleep 2; date -u; echo Hello"], startMs).lines, ["Thu Jan  1 10:00:00 UTC 2026", "Hello"]);
});
