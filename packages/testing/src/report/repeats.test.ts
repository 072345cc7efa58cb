import assert from "node:assert/strict";
import { test } from "node:test";
import { folded } from "./repeats.ts";
import type { Moment } from "./moments.ts";

/** Moments a second apart, one for each word, with what is written after a colon. */
function momentsOf(text: string): readonly Moment[] {
  return text.split(" ").map((word, index) => ({
    atMs: index * 1000,
    who: "operator#1",
    what: word.split(":")[0] ?? "",
    written: word.split(":")[1] ?? "",
    stale: [],
    entry: { type: "Start", life: 1, atMs: index * 1000 },
  }));
}

function told(text: string, kept?: number): string {
  const moments = momentsOf(text);
  const lines = folded(moments, kept === undefined ? undefined : moments[kept]);
  return lines
    .map((line) => ("type" in line ? `(${line.lines} again ${line.times}x until ${line.untilMs / 1000} s)` : line.what))
    .join(" ");
}

test("what happens again and again is told once, whatever its versions are", () => {
  assert.equal(told("start a@1 a@2 a@3 end"), "start a@1 (1 again 2x until 3 s) end");
  assert.equal(told("a@1 b@2 a@3 b@4 a@5 b@6 end"), "a@1 b@2 (2 again 2x until 5 s) end");
});

test("what writes something else is not the same, but for numbers", () => {
  assert.equal(told("a@1 b:False a@2 b:True a@3 b:True end"), "a@1 b a@2 b (2 again 1x until 5 s) end");
  assert.equal(told("a:at-1 a:at-2 a:at-3 end"), "a (1 again 2x until 2 s) end");
});

test("what happens twice is told twice, and the culprit in any case", () => {
  assert.equal(told("a@1 a@2 b"), "a@1 a@2 b");
  assert.equal(told("a a a a a", 2), "a a a a a");
});
