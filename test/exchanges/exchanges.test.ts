import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { byClock, createNamespace, readRecording, replay } from "@kaji-tools/record";
import type { RecordedScenario, Recording } from "@kaji-tools/record";
import { knownDifferences } from "./known-differences.ts";

const folder = new URL("testdata/", import.meta.url);
const recordings = readdirSync(folder).map((file): Recording => readRecording(new URL(file, folder)));

/** Namespaces that every cluster has. */
const firstNamespaces = ["default", "kube-system", "kube-public"];

for (const { namespace, scenarios } of recordings) {
  describe(`the embedded server answers as a real one: ${namespace}`, { concurrency: true }, () => {
    for (const scenario of scenarios) test(scenario.name, () => answersAsRecorded(namespace, scenario));
  });
}

test("the exchanges are many, and those that differ few", () => {
  const count = recordings.flatMap(({ scenarios }) => scenarios).reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.ok(count >= 350, `${count} exchanges`);
  assert.ok(knownDifferences.length < count / 20, `${knownDifferences.length} of ${count} differ`);
});

async function answersAsRecorded(namespace: string, scenario: RecordedScenario): Promise<void> {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const send = server.transport();
  for (const name of [...firstNamespaces, namespace]) await createNamespace(name, send);
  const mismatches = await replay(scenario, send, byClock(clock));
  const known = knownDifferences.filter((each) => each.recording === namespace && each.scenario === scenario.name);
  const isKnown = (step: number): boolean => known.some((each) => each.step === step);
  assert.deepEqual(
    mismatches.filter(({ step }) => !isKnown(step)),
    [],
  );
  assert.deepEqual(
    known.filter(({ step }) => !mismatches.some((mismatch) => mismatch.step === step)),
    [],
    "known differences that are none any more",
  );
}
