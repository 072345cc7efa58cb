import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { startKubelet } from "../kubelet/start-kubelet.ts";
import { SimulatedRuntime } from "../kubelet/simulated-runtime.ts";
import { startScheduler } from "../scheduler/start-scheduler.ts";
import type { ClusterSnapshot } from "../cluster.ts";
import { startCluster } from "../start-cluster.ts";
import { builtinControllers } from "./builtin-controllers.ts";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { masked } from "./testing/masked.ts";
import { startControllers } from "./testing/start-controllers.ts";
import { MortalProcess } from "./testing/mortal-process.ts";
import type { StartPart } from "./testing/mortal-process.ts";
import { performPlay } from "./testing/perform-play.ts";
import { restartPlays } from "./testing/restart-plays.ts";
import type { Play } from "./testing/restart-plays.ts";
import { scenarioControllers } from "./testing/scenario-controllers.ts";
import { playScenario } from "./testing/scenario.ts";
import type { Scenario } from "./testing/scenario.ts";
import { scenarios } from "./testing/scenarios.ts";

const controllerNames = [...new Set(builtinControllers.map(({ name }) => name))];

for (const [name, play] of Object.entries(restartPlays)) {
  test(`[LOOP1] ${name}: a component that dies after any write and starts again comes to the same end`, async () => {
    const snapshot = await clusterWithout(play.parts);
    const { end, writes } = await perform(play, snapshot);
    assert.ok(writes > 0);
    for (let death = 1; death <= writes; death++) {
      assert.deepEqual((await perform(play, snapshot, death)).end, end, `death after write ${death} of ${writes}`);
    }
  });
}

const recorded = [
  "deployment-recreates-one",
  "deployment-rolls-out-one",
  "replica-set-adopts",
  "owner-goes-when-child-has-gone",
  "daemon-set-rolls-out",
  "stateful-set-rolls-out-one",
];

for (const scenario of scenarios.filter(({ name }) => recorded.includes(name))) {
  test(`[LOOP1] ${scenario.name}: a component that dies after any write and starts again comes to the same end`, async () => {
    await using rig = await startRig();
    await rig.addNode("node", { allocatable: { pods: "1000" } });
    const { end, writes } = await playMortally(scenario, rig);
    assert.ok(writes > 0);
    for (let death = 1; death <= writes; death++) {
      const again = { ...scenario, name: `${scenario.name}-${death}` };
      assert.deepEqual((await playMortally(again, rig, death)).end, end, `death after write ${death} of ${writes}`);
    }
  });
}

test("[LOOP1] every controller, the scheduler and the kubelet are killed in some play", () => {
  const killed = new Set(Object.values(restartPlays).flatMap(({ parts }) => parts));
  assert.deepEqual([...killed].toSorted(), [...controllerNames, "default-scheduler", "kubelet"].toSorted());
});

/** A cluster in which everybody works but those who will do so in a process of their own. */
async function clusterWithout(parts: readonly string[]): Promise<ClusterSnapshot> {
  await using cluster = await startCluster({
    clock: new ManualClock(),
    random: seededRandom(1),
    rbac: false,
    controllers: controllerNames.filter((name) => !parts.includes(name)),
    scheduler: !parts.includes("default-scheduler"),
    nodes: parts.includes("kubelet") ? 0 : 1,
  });
  return await cluster.snapshot();
}

async function perform(
  play: Play,
  snapshot: ClusterSnapshot,
  deathAfter?: number,
): Promise<{ readonly end: unknown; readonly writes: number }> {
  const clock = new ManualClock(snapshot.atMs);
  await using cluster = await snapshot.restore({ clock, random: seededRandom(1) });
  await using process = new MortalProcess(cluster, starterOf(play.parts), deathAfter);
  await process.start();
  return { end: await performPlay(play, { cluster, clock, settled: () => process.settled() }), writes: process.writes };
}

/** Plays a scenario of those that are recorded, in which pods run when it says so. */
async function playMortally(
  scenario: Scenario,
  rig: SchedulerRig,
  deathAfter?: number,
): Promise<{ readonly end: unknown; readonly writes: number }> {
  const isAboutOwners = scenario.name.startsWith("owner");
  // The collector mirrors every kind, which takes time; where nothing is deleted with dependents it has nothing to do.
  const parts = scenarioControllers.filter((name) => (name === "garbage-collector-controller") === isAboutOwners);
  const surroundings = { clock: rig.clock, transport: () => rig.transport, settled: () => rig.settle() };
  await using process = new MortalProcess(surroundings, starterOf(parts), deathAfter);
  await process.start();
  return { end: masked(await playScenario(scenario, { client: rig.client, settle: () => process.settled() })), writes: process.writes };
}

/** Starts the parts of those names together. */
function starterOf(parts: readonly string[]): StartPart {
  return async (environment, { clock }) => {
    await using starting = new AsyncDisposableStack();
    const busy: (() => boolean)[] = [];
    const only = parts.filter((name) => controllerNames.includes(name));
    const controllers = starting.use(startControllers({ ...environment, only }));
    await controllers.synced;
    busy.push(() => controllers.load.queued + controllers.load.inFlight > 0);
    if (parts.includes("kubelet")) {
      const runtime = new SimulatedRuntime(clock);
      const kubelet = starting.use(await startKubelet({ ...environment, nodes: [{ name: "node-1" }], runtime }));
      busy.push(() => !kubelet.isIdle);
    }
    if (parts.includes("default-scheduler")) {
      const scheduler = starting.use(await startScheduler(environment));
      busy.push(() => !scheduler.isIdle);
    }
    const all = starting.move();
    return { isBusy: () => busy.some((isBusy) => isBusy()), [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
  };
}
