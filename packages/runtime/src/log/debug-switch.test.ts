import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { processSurroundings } from "../run-operator/surroundings.ts";
import { createLog } from "./create-log.ts";
import type { LogLevel } from "./create-log.ts";
import { DebugSwitch } from "./debug-switch.ts";

/** What is written by a log and by a child that was made at the start, before the switch is turned, when it is, and when it is turned back. */
function written(usual: LogLevel): readonly string[] {
  const lines: string[] = [];
  const debug = new DebugSwitch(usual);
  const log = createLog({ write: (line) => lines.push(line) }, { level: () => debug.level, clock: new ManualClock() });
  const child = log.child({ controller: "copier" });
  for (const time of ["before", "during", "after"]) {
    if (time !== "before") debug.turn(log);
    child.debug(`debug ${time}`);
    child.error(`error ${time}`);
  }
  return lines.map((line) => JSON.parse(line) as { msg: string; logLevel?: string }).map(({ msg, logLevel }) => logLevel ?? msg);
}

test("[LG7] a switch turns the level to debug and back, for logs that are there already too, and says so at every level", () => {
  assert.deepEqual(written("info"), ["error before", "debug", "debug during", "error during", "info", "error after"]);
  assert.deepEqual(written("silent"), ["debug", "debug during", "error during", "silent"]);
  assert.deepEqual(written("debug"), ["debug before", "error before", "info", "error during", "debug", "debug after", "error after"]);
});

test("[LG7] the signal for it is SIGUSR2", async () => {
  // The test runner has Node write a report at the same signal.
  process.report.reportOnSignal = false;
  const heard: string[] = [];
  using _listening = processSurroundings().onDebugSignal(() => heard.push("SIGUSR2"));
  process.kill(process.pid, "SIGUSR2");
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ["SIGUSR2"]);
});
