import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sight, TraceEntry } from "../simulation/trace.ts";
import { timeline } from "./timeline.ts";

const object = "Bar default/b";

function reconcile(atMs: number, ...sights: readonly Sight[]): TraceEntry {
  return { type: "Reconcile", life: 1, number: atMs, controller: "bar", sight: { object, seen: "1", current: "1" }, sights, atMs };
}

function heard(event: string, life: number): TraceEntry {
  return { type: "Heard", life, anchor: { event, nth: 1 }, object: "Part default/p", version: "9", ops: 1, atMs: 2 };
}

test("a line says what the operator did not see, and what it saw of the past", () => {
  const missed: Sight = { object: "Part default/p", seen: undefined, current: "5" };
  const old: Sight = { object: "Part default/q", seen: "2", current: "6" };
  const gone: Sight = { object: "Part default/r", seen: "3", current: undefined };
  assert.deepEqual(timeline([reconcile(1, missed, old, gone)]), [
    "   0.001s  operator#1  reconciles Bar default/b@1, finds Part default/q@2, Part default/r@3, and writes nothing" +
      "   ← sees no Part default/p, though it is there @5; Part default/q@2, though it is @6 by now; Part default/r@3, though it is gone",
  ]);
});

test("what others take away is told once, however many hear of it, and what they add is not", () => {
  assert.deepEqual(timeline([heard("ADDED Part default/p", 1), heard("DELETED Part default/p", 1), heard("DELETED Part default/p", 1)]), [
    "   0.002s  world       Part default/p is gone",
  ]);
});

test("the culprit is marked, and what is repeated before it is folded", () => {
  const culprit = reconcile(9);
  const lines = timeline([reconcile(1), reconcile(2), reconcile(3), culprit], culprit);
  assert.deepEqual(
    lines.map((line) => line.trim()),
    [
      "0.001s  operator#1  reconciles Bar default/b@1, and writes nothing",
      "… the same again 2 times, until 0.003 s",
      "0.009s  operator#1  reconciles Bar default/b@1, and writes nothing   ◄ look here",
    ],
  );
});
