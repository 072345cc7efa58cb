import assert from "node:assert/strict";
import { test } from "node:test";
import { Findings } from "./findings.ts";
import { failingForEver } from "./oracles.ts";

test("[SHR2] reconciles that fail for ever with two errors are two findings, but for numbers and what is quoted", () => {
  const findings = new Findings();
  const plan = { seed: 1, ops: [0], faults: [] } as const;
  const found = (failure: string): boolean => {
    const violation = failingForEver({ error: failure, isFinalizing: false });
    if (findings.repeat(violation)) return false;
    findings.add({
      violation,
      plan,
      firstPlan: plan,
      entries: [],
      foundIn: 1,
      shrinkingRuns: 0,
      isCutShort: false,
      repeats: 0,
      isReproducible: true,
    });
    return true;
  };
  assert.deepEqual(['lamp "1" is broken', 'lamp "desk" is broken', "there is no lamp", "there is no lamp"].map(found), [
    true,
    false,
    true,
    false,
  ]);
  assert.deepEqual(
    findings.all.map(({ repeats }) => repeats),
    [1, 1],
  );
});
