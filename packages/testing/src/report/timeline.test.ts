import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberStory } from "../simulation/stories.ts";
import type { Sight, TraceEntry } from "../simulation/trace-entry.ts";
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

test("a write is told before what is heard of it at the same moment, and with what it wrote", () => {
  const anchor = { write: "delete parts default/p -", nth: 1 };
  const about = { subresource: undefined, code: 200, uid: undefined, isEffective: true, existed: true } as const;
  const write: TraceEntry = {
    ...{ type: "Write", life: 1, anchor, verb: "delete", object: "Part default/p", ...about },
    ...{ reconcile: 1, ops: 1, revision: 8, atMs: 2 },
  };
  rememberStory(write, { stack: new Error(), written: '{"preconditions":{}}' });
  assert.deepEqual(timeline([heard("DELETED Part default/p", 1), write]), [
    '   0.002s  operator#1  DELETE Part default/p {"preconditions":{}}',
    "   0.002s  world       Part default/p is gone",
  ]);
  assert.match(timeline([heard("DELETED Part default/p", 1), { ...write, revision: 9 }])[0] ?? "", /world/);
});

test("what is finalized is said to be so", () => {
  const sight = { object, seen: "1", current: "1" } as const;
  const finalizing: TraceEntry = {
    type: "Reconcile",
    life: 1,
    number: 1,
    controller: "bar",
    sight,
    sights: [],
    isFinalizing: true,
    atMs: 1,
  };
  assert.match(timeline([finalizing])[0] ?? "", /finalizes Bar default\/b@1, and writes nothing$/);
});
