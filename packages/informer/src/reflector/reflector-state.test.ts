import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, refusal } from "@kaji/core";
import type { StatusReason } from "@kaji/core";
import { firstPage, step, streaming } from "./reflector-state.ts";
import type { ReflectorEvent, ReflectorState } from "./reflector-state.ts";

const laterPage: ReflectorState = { type: "Paging", continue: "x" };
const watching: ReflectorState = { type: "Watching", resourceVersion: "100", inVain: false };
const inVain: ReflectorState = { ...watching, inVain: true };

const closed: ReflectorEvent = { type: "Closed", atOnce: false };
const closedAtOnce: ReflectorEvent = { type: "Closed", atOnce: true };
const silence: ReflectorEvent = { type: "Silent", isAccepted: true, limitMs: 60_000 };
const noAnswer: ReflectorEvent = { type: "Silent", isAccepted: false, limitMs: 60_000 };
const broken: ReflectorEvent = { type: "Broken", error: new Error("reset") };
const malformed: ReflectorEvent = { type: "Malformed", error: new Error("garbage") };
const progress = (resourceVersion: string): ReflectorEvent => ({ type: "Progress", resourceVersion });
const refused = (reason: StatusReason): ReflectorEvent => ({ type: "Refused", error: refusal(reason, reason) });
const tooLarge: ReflectorEvent = {
  type: "Refused",
  error: new ApiError({
    ...refusal("Timeout", "Too large resource version: 100, current: 50").status,
    details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
  }),
};

/** Rule, state, event, next state. */
const table: readonly (readonly [string, ReflectorState, ReflectorEvent, ReflectorState])[] = [
  ["REF1", streaming, { type: "Streamed", resourceVersion: "7" }, { type: "Watching", resourceVersion: "7", inVain: false }],
  ["REF1", streaming, progress("7"), streaming],
  ["REF2", streaming, refused("Invalid"), firstPage],
  ["REF2", streaming, refused("Forbidden"), firstPage],
  ["REF2", streaming, refused("InternalError"), firstPage],
  ["REF2", streaming, closed, firstPage],
  ["REF2", streaming, silence, firstPage],
  ["REF2", streaming, broken, firstPage],
  ["REF2", streaming, malformed, firstPage],
  ["REF3", streaming, refused("TooManyRequests"), streaming],
  ["REF4", firstPage, { type: "Page", resourceVersion: "7", continue: "x" }, laterPage],
  [
    "REF4",
    laterPage,
    { type: "Page", resourceVersion: "7", continue: undefined },
    { type: "Watching", resourceVersion: "7", inVain: false },
  ],
  ["REF4", laterPage, broken, laterPage],
  ["REF4", laterPage, silence, laterPage],
  ["REF4", laterPage, refused("InternalError"), laterPage],
  ["REF3", laterPage, refused("TooManyRequests"), laterPage],
  ["REF3", firstPage, refused("TooManyRequests"), firstPage],
  ["REF4", laterPage, refused("Expired"), streaming],
  ["REF4", laterPage, refused("NotFound"), streaming],
  ["REF4", laterPage, refused("BadRequest"), streaming],
  ["REF4", laterPage, refused("Invalid"), streaming],
  ["REF4", laterPage, malformed, streaming],
  ["REF4", firstPage, broken, streaming],
  ["REF4", firstPage, refused("Forbidden"), streaming],
  ["REF5", watching, progress("101"), { ...watching, resourceVersion: "101" }],
  ["REF5", inVain, progress("101"), { ...watching, resourceVersion: "101" }],
  ["REF5", watching, progress("100"), watching],
  ["REF5", watching, closed, watching],
  ["REF5", watching, broken, watching],
  ["REF5", watching, refused("InternalError"), watching],
  ["REF5", watching, refused("ServiceUnavailable"), watching],
  ["REF5", watching, refused("TooManyRequests"), watching],
  ["REF5", watching, refused("Unauthorized"), watching],
  ["REF5", watching, refused("Forbidden"), watching],
  ["REF6", watching, refused("Gone"), streaming],
  ["REF6", watching, refused("Expired"), streaming],
  ["REF6", watching, refused("NotFound"), streaming],
  ["REF6", watching, refused("Invalid"), streaming],
  ["REF6", watching, tooLarge, streaming],
  ["REF6", watching, progress("99"), streaming],
  ["REF6", watching, malformed, streaming],
  ["REF7", watching, silence, inVain],
  ["REF7", inVain, silence, streaming],
  ["REF7", inVain, noAnswer, inVain],
  ["REF7", inVain, closed, inVain],
  ["REF7", watching, closedAtOnce, inVain],
  ["REF7", inVain, closedAtOnce, streaming],
  ["REF7", inVain, broken, inVain],
];

for (const [rule, state, event, next] of table) {
  const reason = event.type === "Refused" ? ` ${event.error.reason}` : "";
  const from = "continue" in state && state.continue !== undefined ? `${state.type} further` : state.type;
  test(`[${rule}] ${from}, ${event.type}${reason}: ${next.type}`, () => assert.deepEqual(step(state, event, streaming), next));
}

test("[REF6] versions that are not numbers never look older", () => {
  assert.deepEqual(step({ ...watching, resourceVersion: "b" }, progress("a"), streaming), { ...watching, resourceVersion: "a" });
});

test("[REF11] where all begins with a page, it also begins anew with one", () => {
  for (const [, state, event, next] of table.filter(([, { type }]) => type !== "Streaming"))
    assert.deepEqual(step(state, event, firstPage), next.type === "Streaming" ? firstPage : next);
});
