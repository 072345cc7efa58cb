import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Node } from "@kaji/types/core/v1";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "./testing/start-controllers.ts";
import type { RunningControllers } from "./testing/start-controllers.ts";
import { masked } from "./testing/masked.ts";
import { scenarioControllers } from "./testing/scenario-controllers.ts";
import { playScenario } from "./testing/scenario.ts";
import { scenarios } from "./testing/scenarios.ts";

describe("what users do ends as it does with kube-controller-manager", () => {
  let rig: SchedulerRig;
  let controllers: RunningControllers;

  before(async () => {
    rig = await startRig();
    await rig.addNode("node", { allocatable: { pods: "1000" } });
    controllers = startControllers({ ...rig, only: scenarioControllers });
    await controllers.synced;
  });

  after(async () => {
    await controllers?.[Symbol.asyncDispose]();
    await rig?.[Symbol.asyncDispose]();
  });

  const settle = async (): Promise<void> => {
    do await rig.settle();
    while (controllers.load.queued + controllers.load.inFlight > 0);
  };

  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const recording = new URL(`../../testdata/controllers/${scenario.name}.json`, import.meta.url);
      const expected: unknown = JSON.parse(readFileSync(recording, "utf8"));
      assert.deepEqual(masked(await playScenario(scenario, { client: rig.client, settle })), expected);
    });
  }

  test("and then nothing is written for an hour", async () => {
    // Deployments that stay unavailable say so once, when their deadline has passed.
    await rig.clock.advance(660_000);
    const revision = async (): Promise<string | undefined> => (await rig.client.list(Node)).metadata.resourceVersion;
    const before = await revision();
    await rig.clock.advance(3_600_000);
    assert.equal(await revision(), before);
  });
});
