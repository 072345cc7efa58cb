import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyLog } from "./lazy-log.ts";
import type { Log, LogLine } from "./log.ts";

test("[LG5] the log of a reconcile is made for its first line, and hands on lines as they are, with fields or without", () => {
  const lines: [level: string, ...LogLine][] = [];
  let made = 0;
  const target: Log = {
    debug: (...line) => void lines.push(["debug", ...line]),
    info: (...line) => void lines.push(["info", ...line]),
    warn: (...line) => void lines.push(["warn", ...line]),
    error: (...line) => void lines.push(["error", ...line]),
    child: () => target,
  };
  const log = new LazyLog(() => {
    made++;
    return target;
  });
  assert.equal(made, 0);
  for (const level of ["debug", "info", "warn", "error"] as const) {
    log[level]("alone");
    log[level]({ tries: 2 }, "with fields");
  }
  const expected = ["debug", "info", "warn", "error"].flatMap((level) => [
    [level, "alone"],
    [level, { tries: 2 }, "with fields"],
  ]);
  assert.deepEqual(lines, expected);
  assert.deepEqual([made, log.child({}) === target], [1, true]);
});
