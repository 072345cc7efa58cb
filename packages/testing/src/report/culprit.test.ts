import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../exploration/finding.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";
import { culpritOf } from "./culprit.ts";

const fault: TraceEntry = { type: "Fault", fault: { type: "Restart", op: 0, down: "Short" }, text: "", atMs: 5 };

function write(verb: string, object: string, atMs: number, more: Partial<Write> = {}): Write & { readonly atMs: number } {
  const anchor = { write: `${verb} ${object} -`, nth: 1 };
  const about = { subresource: undefined, code: 200, uid: undefined, isEffective: true, existed: true } as const;
  return { type: "Write", life: 1, anchor, verb, object, ...about, reconcile: 1, ops: 1, revision: 1, atMs, ...more };
}

function reconcile(atMs: number): TraceEntry {
  const sight = { object: "Bar default/b", seen: "1", current: "1" } as const;
  return { type: "Reconcile", life: 1, number: atMs, controller: "bar", sight, sights: [], atMs };
}

function culprit(
  oracle: Finding["violation"]["oracle"],
  subject: string,
  entries: readonly TraceEntry[],
  more: Pick<Finding["violation"], "reconcile" | "isPrompted"> = {},
): number | undefined {
  const plan = { seed: 1, ops: [0], faults: [] };
  const violation = { oracle, subject, message: "", ...more };
  const finding = {
    violation,
    plan,
    entries,
    foundIn: 1,
    firstPlan: plan,
    shrinkingRuns: 0,
    isCutShort: false,
    repeats: 0,
    isReproducible: true,
  };
  return culpritOf(finding)?.atMs;
}

test("the culprit is the last write to what is wrong, once something had gone wrong", () => {
  const entries = [write("delete", "Pod default/p", 1), fault, write("delete", "Pod default/p", 6), write("patch", "Pod default/p", 7)];
  assert.equal(culprit("protected delete", "Pod default/p", entries), 6);
  assert.equal(culprit("over-create", "Pod of Bar default/b", [fault, write("create", "Pod default/p", 6), reconcile(7)]), 6);
});

test("of a status that lies, it is the write that says so, and not a later one that is right", () => {
  const says = (atMs: number, number: number) => write("patch", "Bar default/b", atMs, { subresource: "status", reconcile: number });
  const entries = [says(1, 1), says(2, 2), write("patch", "Part default/p", 3, { reconcile: 3 }), says(4, 4)];
  assert.equal(culprit("status honesty", "Bar default/b", entries, { reconcile: 2 }), 2);
});

test("where nothing is written, it is the first reconcile that wrote nothing", () => {
  const entries = [fault, reconcile(6), write("create", "Secret default/s", 7), reconcile(8), reconcile(9)];
  assert.equal(culprit("end state", "Secret default/missing", entries), 8);
  assert.equal(culprit("end state", "Secret default/missing", [fault, reconcile(6), write("create", "Secret default/s", 7)]), 6);
});

test("where nothing happens any more, it is what was struck", () => {
  assert.equal(culprit("end state", "Secret default/missing", [reconcile(4), fault]), 5);
});

test("a bug of the language is where it is thrown", () => {
  const error: TraceEntry = { type: "Error", life: 1, text: "x is undefined", kind: "Bug", atMs: 8 };
  assert.equal(culprit("exception", "x is undefined", [fault, reconcile(6), error]), 8);
});

test("[TEL1] of what is written with nothing to do, it is the first write that only the test has led to, whether or not it changes anything", () => {
  const op = (atMs: number): TraceEntry => ({ type: "Op", index: 0, text: "", atMs });
  const prompt = (atMs: number): TraceEntry => ({ type: "Prompt", text: "", atMs });
  const idle = (atMs: number): TraceEntry => write("update", "Bar default/b", atMs, { isEffective: false });
  const entries = [
    op(1),
    idle(2),
    prompt(3),
    reconcile(4),
    op(5),
    idle(6),
    prompt(7),
    write("patch", "Pod default/p", 8),
    idle(9),
    idle(10),
  ];
  assert.equal(culprit("idempotency", "Bar default/b (update)", entries, { isPrompted: true }), 9);
});
