import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsOf, findCondition, isConditionTrue, setCondition } from "./condition.ts";
import type { Condition, ConditionDraft } from "./condition.ts";
import { ManualClock } from "../outside/manual-clock.ts";

const clock = new ManualClock(Date.UTC(2026, 0, 1, 12));
const before = "2025-12-31T00:00:00Z";
const ready: Condition = { type: "Ready", status: "False", reason: "Waiting", message: "for it", lastTransitionTime: before };
const synced: Condition = { type: "Synced", status: "True", reason: "Done", message: "", lastTransitionTime: before };

function change(changes: Partial<ConditionDraft>): readonly Condition[] {
  const { lastTransitionTime: _, ...draft } = ready;
  return setCondition([ready, synced], { ...draft, ...changes }, clock);
}

test("[COND1] the time of the transition moves when the status changes, and only then", () => {
  assert.equal(change({ status: "True" })[0]?.lastTransitionTime, "2026-01-01T12:00:00Z");
  assert.equal(change({ reason: "Else", message: "other" })[0]?.lastTransitionTime, before);
  assert.equal(change({ observedGeneration: 2 })[0]?.lastTransitionTime, before);
});

test("[COND2] a time that is given counts for a transition, and is ignored otherwise", () => {
  const given = "2026-01-01T06:00:00Z";
  assert.equal(change({ status: "True", lastTransitionTime: given })[0]?.lastTransitionTime, given);
  assert.equal(change({ reason: "Else", lastTransitionTime: given })[0]?.lastTransitionTime, before);
  assert.equal(setCondition([], { ...synced, lastTransitionTime: given }, clock)[0]?.lastTransitionTime, given);
});

test("[COND3] all else is replaced, what is no longer stated is gone, and the order stays", () => {
  const generation = setCondition([ready, synced], { ...ready, observedGeneration: 3 }, clock);
  assert.deepEqual(generation, [{ ...ready, observedGeneration: 3 }, synced]);
  assert.deepEqual(setCondition(generation, ready, clock), [ready, synced]);
});

test("[COND4] a type that is not there is added at the end", () => {
  const draft = { type: "Ready", status: "Unknown", reason: "Started", message: "" } as const;
  const expected = { ...draft, lastTransitionTime: "2026-01-01T12:00:00Z" };
  assert.deepEqual(setCondition(undefined, draft, clock), [expected]);
  assert.deepEqual(setCondition([synced], draft, clock), [synced, expected]);
});

test("[COND5] nothing is mutated, and if nothing changes the same list is returned", () => {
  const conditions = Object.freeze([Object.freeze({ ...ready }), Object.freeze({ ...synced })]);
  assert.equal(setCondition(conditions, { ...ready }, clock), conditions);
  assert.notEqual(setCondition(conditions, { ...ready, status: "True" }, clock), conditions);
});

test("[COND6] of whatever stands in place of conditions, what has a type is one", () => {
  assert.deepEqual(conditionsOf([ready, null, "Ready", {}, synced]), [ready, synced]);
  for (const none of [undefined, null, "Ready", { type: "Ready" }]) assert.deepEqual(conditionsOf(none), []);
});

test("conditions are found by type", () => {
  assert.equal(findCondition([ready, synced], "Synced"), synced);
  assert.equal(findCondition([ready], "Synced"), undefined);
  assert.equal(findCondition(undefined, "Synced"), undefined);
  assert.equal(isConditionTrue([ready, synced], "Synced"), true);
  assert.equal(isConditionTrue([ready, synced], "Ready"), false);
  assert.equal(isConditionTrue(undefined, "Ready"), false);
});

test("[COND7] conditions of kinds that have no more than type and status are found too", () => {
  const conditions = [{ type: "Ready", status: "True" }];
  assert.deepEqual(findCondition(conditions, "Ready"), conditions[0]);
  assert.deepEqual([isConditionTrue(conditions, "Ready"), isConditionTrue(conditions, "Initialized")], [true, false]);
});
