import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ExpressionOutcome, ExpressionRun } from "../policies/expression-run.ts";
import { outcomeOf } from "./match-conditions.ts";

const failed = (message: string): ExpressionOutcome => ({ type: "Failed", message });
const value = (holds: boolean): ExpressionOutcome => ({ type: "Value", value: holds });
const run = (...outcomes: readonly ExpressionOutcome[]): ExpressionRun => ({ type: "Done", outcomes, remaining: 1 });

const outcomes = fc.array(fc.oneof(fc.boolean().map(value), fc.constantFrom("one", "two").map(failed)));

test("[WH13] a condition that does not hold excludes a request, whatever the others came to", () => {
  fc.assert(
    fc.property(outcomes, fc.constantFrom("Fail" as const, "Ignore" as const), (given, policy) => {
      const outcome = outcomeOf(run(...given), policy);
      if (given.some((each) => each.type === "Value" && each.value === false)) assert.deepEqual(outcome, { type: "Excluded" });
      else if (given.every((each) => each.type === "Value")) assert.deepEqual(outcome, { type: "Matches" });
      else assert.equal(outcome.type, policy === "Ignore" ? "Excluded" : "Failed");
    }),
  );
});

test("[WH13] failures are told once each", () => {
  assert.deepEqual(outcomeOf(run(failed("a"), value(true), failed("a")), "Fail"), { type: "Failed", message: "a" });
  assert.deepEqual(outcomeOf(run(failed("a"), failed("b")), "Fail"), { type: "Failed", message: "[a, b]" });
});

test("[WH13] conditions that cost too much count as failed", () => {
  assert.deepEqual(outcomeOf({ type: "OutOfBudget", message: "too much" }, "Fail"), { type: "Failed", message: "too much" });
});
