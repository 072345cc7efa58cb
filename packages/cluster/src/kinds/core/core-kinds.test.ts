import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createNamespace, readRecording, replay } from "@kaji-tools/record";
import { createApiServer } from "../../create-api-server.ts";

const { namespace, scenarios } = readRecording(new URL("../../../testdata/core-kinds.json", import.meta.url));

/** Where we answer otherwise than the real server, and why that is so. */
const knownDifferences: readonly { readonly scenario: string; readonly step: number; readonly reason: string }[] = [];

for (const scenario of scenarios) {
  test(`answers as recorded: ${scenario.name}`, async () => {
    const clock = new ManualClock();
    const storage = createMemoryStorage({ clock });
    await using server = createApiServer({ storage, clock, random: seededRandom(1) });
    const send = server.transport();
    for (const name of ["default", "kube-system", namespace]) await createNamespace(name, send);
    const mismatches = await replay(scenario, send);
    const isKnown = (step: number): boolean => knownDifferences.some((known) => known.scenario === scenario.name && known.step === step);
    assert.deepEqual(
      mismatches.filter(({ step }) => !isKnown(step)),
      [],
    );
  });
}
