import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { startControllers } from "./start-controllers.ts";
import type { RunningControllers } from "./start-controllers.ts";
import { masked } from "./testing/masked.ts";
import { scenarioControllers } from "./testing/scenario-controllers.ts";
import { playScenario } from "./testing/scenario.ts";
import type { Scenario } from "./testing/scenario.ts";
import { scenarios } from "./testing/scenarios.ts";

/** Controllers in a process of their own, which ends when so many writes have been made, with the answer to the last one on its way. */
function startProcess(
  rig: SchedulerRig,
  only: readonly string[],
  writes = Infinity,
): RunningControllers & { readonly isDead: () => boolean; readonly writes: () => number } {
  let count = 0;
  const transport: Transport = async (request) => {
    if (count >= writes) throw new Error("the process is dead");
    if (request.method === "GET") return rig.transport(request);
    count++;
    const response = await rig.transport(request);
    if (count >= writes) throw new Error("the process is dead");
    return response;
  };
  const { clock, random, recorder, log } = rig;
  const client = new KubeClient(transport, { clock, random, retries: 0, onWarning: () => {} });
  const informers = new Informers({ source: client.listerWatcher, clock, random, onFailure: () => {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  const controllers = startControllers({ client, informers, clock, random, recorder, log, only });
  return {
    get activity() {
      return controllers.activity;
    },
    synced: controllers.synced,
    isDead: () => count >= writes,
    writes: () => count,
    async [Symbol.asyncDispose]() {
      await controllers[Symbol.asyncDispose]();
      end.abort();
      await running;
    },
  };
}

/** Plays a scenario with controllers that die after so many writes, if ever, and are started again; gives the end, and how many writes there were. */
async function play(
  rig: SchedulerRig,
  scenario: Scenario,
  deathAfter?: number,
): Promise<{ readonly end: unknown; readonly writes: number }> {
  const isAboutOwners = scenario.name.startsWith("owner");
  // The collector mirrors every kind, which takes time; where nothing is deleted with dependents it has nothing to do.
  const only = scenarioControllers.filter((name) => (name === "garbage-collector-controller") === isAboutOwners);
  let process = startProcess(rig, only, deathAfter);
  await process.synced;
  const settle = async (): Promise<void> => {
    do {
      await rig.settle();
      if (!process.isDead()) continue;
      await process[Symbol.asyncDispose]();
      process = startProcess(rig, only);
      await process.synced;
    } while (process.activity.queued + process.activity.inFlight > 0);
    await rig.settle();
  };
  try {
    return { end: masked(await playScenario(scenario, { client: rig.client, settle })), writes: process.writes() };
  } finally {
    await process[Symbol.asyncDispose]();
  }
}

const names = [
  "deployment-recreates-one",
  "deployment-rolls-out-one",
  "replica-set-adopts",
  "owner-goes-when-child-has-gone",
  "daemon-set-rolls-out",
  "stateful-set-rolls-out-one",
];

for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
  test(`${scenario.name}: controllers that die after any write and start again come to the same end`, async () => {
    await using rig = await startRig();
    await rig.addNode("node", { allocatable: { pods: "1000" } });
    const { end, writes } = await play(rig, scenario);
    assert.ok(writes > 0);
    for (let death = 1; death <= writes; death++) {
      const again = { ...scenario, name: `${scenario.name}-${death}` };
      assert.deepEqual((await play(rig, again, death)).end, end, `death after write ${death} of ${writes}`);
    }
  });
}
