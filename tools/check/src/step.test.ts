import assert from "node:assert/strict";
import { test } from "node:test";
import { runStep, runSteps } from "./step.ts";
import type { Outcome, Step } from "./step.ts";

function script(name: string, code: string, after?: string): Step {
  return { name, command: [process.execPath, "--eval", code], ...(after === undefined ? {} : { after }) };
}

async function run(...steps: readonly Step[]): Promise<{ reported: string[]; outcomes: Outcome[] }> {
  const reported: string[] = [];
  const outcomes = await runSteps(steps, {
    root: process.cwd(),
    width: 2,
    report: ({ type, step }) => reported.push(`${step.name} ${type}`),
  });
  return { reported, outcomes };
}

test("a failed step brings all it printed, to either stream", async () => {
  const outcome = await runStep(script("both", "console.log('out'); console.error('err'); process.exit(3)"), process.cwd());
  assert.equal(outcome.type === "Failed" && outcome.output, "out\nerr\n");
});

test("a program that is not there is a failure that names it", async () => {
  const outcome = await runStep({ name: "absent", command: ["no-such-program"] }, process.cwd());
  assert.match(outcome.type === "Failed" ? outcome.output : "", /no-such-program did not start/);
});

test("a step after a failed one is skipped, the others still run", async () => {
  const { reported, outcomes } = await run(script("a", "process.exit(1)"), script("b", "", "a"), script("c", ""));
  assert.deepEqual(reported.toSorted(), ["a Failed", "b Skipped", "c Passed"]);
  assert.deepEqual(
    outcomes.map(({ step }) => step.name),
    ["a", "b", "c"],
  );
});

test("a step after one that passed runs once that is done", async () => {
  const { reported } = await run(script("a", ""), script("b", "", "a"));
  assert.deepEqual(reported, ["a Passed", "b Passed"]);
});
