import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePlan } from "../exploration/plan-text.ts";
import { regressionTest } from "./regression-test.ts";

test("a finding becomes a test that imports the options of its exploration and plays its plan", () => {
  const plan = { seed: 7, ops: [0], faults: [{ type: "Restart", op: 0, down: "Short" }] } as const;
  const violation = { oracle: "end state", subject: "Bar default/b", message: 'a "b" is missing' } as const;
  const source = regressionTest(
    { violation, plan, entries: [], foundIn: 1, firstPlan: plan, shrinkingRuns: 0, isCutShort: false, repeats: 0, isReproducible: true },
    { module: "./exploration.ts" },
  );
  assert.match(source, /^import \{ options \} from "\.\/exploration\.ts";$/m);
  assert.match(source, /^test\("end state: a \\"b\\" is missing", async \(\) => \{$/m);
  const [, text = ""] = /replay\(options, "([\w-]+)"\)/.exec(source) ?? [];
  assert.deepEqual(parsePlan(text), plan);
});
