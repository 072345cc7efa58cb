import assert from "node:assert/strict";
import { test } from "node:test";
import { digestOf, formatPlan } from "../exploration/plan-text.ts";
import { replayCommand } from "./replay-command.ts";

const plan = { seed: 1, ops: [0], faults: [] };

test("a plan is played again by a command that can be copied, where the test runner says which file it runs", () => {
  const argv = ["node", `${process.cwd()}/src/database.test.ts`];
  const replay = `KAJI_REPLAY=${formatPlan({ ...plan, of: digestOf([]) })}`;
  assert.equal(replayCommand(plan, [], { env: { NODE_TEST_CONTEXT: "child-v8" }, argv }), `${replay} node --test src/database.test.ts`);
  assert.equal(replayCommand(plan, [], { env: {}, argv }), `run this test again with ${replay}`);
});
