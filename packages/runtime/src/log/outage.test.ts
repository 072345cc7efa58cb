import assert from "node:assert/strict";
import { test } from "node:test";
import { TransportError } from "@kaji/client";
import { ManualClock } from "@kaji/core/testing";
import { createLog } from "./create-log.ts";
import { Outage } from "./outage.ts";
import { RecordingLog } from "./testing/recording-log.ts";

const words = { begun: "it fails", going: "it still fails", over: "it works again" };
const refused = new TransportError("Unreachable", "no answer from api:6443", { cause: new Error("connect ECONNREFUSED 10.0.0.1:6443") });
const said = { type: "TransportError", message: "no answer from api:6443: connect ECONNREFUSED 10.0.0.1:6443", reason: "Unreachable" };

test("[LG6] what fails and is tried again is a line at first, one in five minutes, and one when it is over; each single try is a matter of debug", async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const log = new RecordingLog();
  const outage = new Outage(clock, words);
  outage.answered(log);
  for (let tries = 1; tries <= 61; tries++) {
    outage.failed(log, refused, { kind: "Pod" });
    await clock.advance(10_000);
  }
  outage.answered(log, { kind: "Pod" });
  outage.answered(log, { kind: "Pod" });
  const told = log.lines.filter(({ level }) => level === "warn").map(({ message, fields }) => [message, fields]);
  const since = "2026-01-01T00:00:00.000Z";
  assert.deepEqual(told, [
    ["it fails", { kind: "Pod", err: said }],
    ["it still fails", { kind: "Pod", since, tries: 31, err: said }],
    ["it still fails", { kind: "Pod", since, tries: 61, err: said }],
    ["it works again", { kind: "Pod", since, tries: 61 }],
  ]);
  assert.equal(log.lines.filter(({ level }) => level === "debug").length, 58);
  outage.failed(log, refused);
  assert.equal(log.lines.at(-1)?.message, "it fails");
});

test("[LG3] an answer that did not come is told with its causes and without a stack, wherever it is told", () => {
  const lines: string[] = [];
  createLog({ write: (line) => lines.push(line) }, { clock: new ManualClock() }).error({ err: refused }, "reconcile failed");
  const { err }: { readonly err: unknown } = JSON.parse(lines[0] ?? "");
  assert.deepEqual(err, said);
});
