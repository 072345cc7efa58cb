import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { Container, ContainerStatus, PodCondition } from "@kaji/types/core/v1";
import type { ControllerRig } from "../controllers/testing/controller-rig.ts";
import { startControllerRig } from "../controllers/testing/controller-rig.ts";

type Sizes = Readonly<Partial<Record<"limits" | "requests", Readonly<Record<string, string>>>>>;

/** One node with 8 cores, by default. */
const options = { only: [], nodes: 1 };
const cpu = (requests: string, limits = "8"): Sizes => ({ limits: { cpu: limits }, requests: { cpu: requests } });

async function runPod(rig: ControllerRig, name: string, container: Partial<Container>): Promise<void> {
  await rig.addPod(name, { containers: [{ name: "main", image: "main", ...container }] });
  await rig.settle();
  rig.events.length = 0;
}

async function resize(rig: ControllerRig, name: string, resources: Sizes): Promise<void> {
  const { spec } = await rig.client.get(Pod, `default/${name}`);
  const containers = (spec?.containers ?? []).map((each) => (each.name === "main" ? { ...each, resources } : each));
  await rig.client.mergePatch(Pod, `default/${name}`, { spec: { containers } }, { subresource: "resize" });
  await rig.settle();
}

interface Seen {
  readonly main: ContainerStatus;
  readonly conditions: readonly PodCondition[];
}

async function look({ client }: ControllerRig, name: string): Promise<Seen> {
  const { status } = await client.get(Pod, `default/${name}`);
  const [main] = status?.containerStatuses ?? [];
  assert.ok(main);
  return { main, conditions: status?.conditions ?? [] };
}

/** How far the resizing of a pod has come, with each of its states: promised, given, and what it says. */
async function watchedStates({ client }: ControllerRig, signal: AbortSignal): Promise<readonly string[]> {
  const seen: string[] = [];
  const { metadata } = await client.list(Pod, { namespace: "default" });
  try {
    for await (const event of client.watch(Pod, { namespace: "default", resourceVersion: metadata.resourceVersion ?? "", signal })) {
      if (event.type !== "MODIFIED") continue;
      const { containerStatuses: [main] = [], conditions } = event.object.status ?? {};
      const progress = findCondition(conditions, "PodResizeInProgress") === undefined ? [] : ["in progress"];
      seen.push([main?.allocatedResources?.["cpu"], main?.resources?.requests?.["cpu"], ...progress].join(" "));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return seen;
}

test("[RESIZE1] a container is given what it asks for while it runs, and the pod says so before and after", async () => {
  await using rig = await startControllerRig(options);
  await runPod(rig, "web", { resources: cpu("1") });
  const end = new AbortController();
  const states = watchedStates(rig, end.signal);
  await resize(rig, "web", cpu("2"));
  end.abort();
  assert.deepEqual(await states, ["1 1", "2 1 in progress", "2 2 in progress", "2 2"]);
  const { main, conditions } = await look(rig, "web");
  assert.deepEqual([main.resources, main.allocatedResources, main.restartCount], [cpu("2"), { cpu: "2" }, 0]);
  assert.equal(findCondition(conditions, "PodResizeInProgress"), undefined);
  const summary = `{"containers":[{"name":"main","resources":{"limits":{"cpu":"8"},"requests":{"cpu":"2"}}}],"generation":2}`;
  assert.deepEqual(rig.events, [
    `ResizeStarted web: Pod resize started: ${summary}`,
    `ResizeCompleted web: Pod resize completed: ${summary}`,
  ]);
});

test("[RESIZE1] limits alone, too, and what has no resources may be given some beside one that has", async () => {
  await using rig = await startControllerRig(options);
  await rig.addPod("web", {
    containers: [
      { name: "main", image: "main", resources: cpu("1") },
      { name: "bare", image: "bare" },
    ],
  });
  await rig.settle();
  await resize(rig, "web", cpu("1", "4"));
  const { main } = await look(rig, "web");
  assert.deepEqual([main.resources, main.allocatedResources], [cpu("1", "4"), { cpu: "1" }]);
});

test("[RESIZE2] a container whose policy says so is run again, and no other", async () => {
  await using rig = await startControllerRig(options);
  const resizePolicy = [{ resourceName: "memory", restartPolicy: "RestartContainer" }];
  const sized = (cores: string, memory: string): Sizes => ({ requests: { cpu: cores, memory } });
  await runPod(rig, "web", { resources: sized("1", "64Mi"), resizePolicy });
  const { main: before } = await look(rig, "web");
  await resize(rig, "web", sized("2", "64Mi"));
  assert.equal((await look(rig, "web")).main.restartCount, 0, "the policy is for memory");
  rig.events.length = 0;
  await rig.clock.advance(1000);
  await resize(rig, "web", sized("2", "128Mi"));
  const { main: after, conditions } = await look(rig, "web");
  assert.deepEqual([after.restartCount, after.ready, after.resources], [1, true, sized("2", "128Mi")]);
  assert.notEqual(after.containerID, before.containerID);
  assert.equal(after.lastState?.terminated?.containerID, before.containerID);
  assert.equal(after.lastState?.terminated?.exitCode, 143);
  assert.equal(findCondition(conditions, "PodResizeInProgress"), undefined);
  assert.deepEqual(
    rig.events.map((event) => event.split(": ")[0]),
    ["ResizeStarted web", "Killing web", "Pulled web", "Created web", "Started web", "ResizeCompleted web"],
  );
  assert.ok(rig.events.includes("Killing web: Container main resize requires restart"));
});

test("[RESIZE3] a pod whose node has no room is given more when another leaves, and says that it waits", async () => {
  await using rig = await startControllerRig(options);
  await runPod(rig, "other", { resources: cpu("4") });
  await runPod(rig, "web", { resources: cpu("1") });
  await resize(rig, "web", cpu("5"));
  const { main, conditions } = await look(rig, "web");
  assert.deepEqual([main.resources, main.allocatedResources], [cpu("1"), { cpu: "1" }]);
  const message = "Node didn't have enough resource: cpu, requested: 5000, used: 4000, capacity: 8000";
  const { status, reason, message: said, observedGeneration } = findCondition(conditions, "PodResizePending") ?? {};
  assert.deepEqual([status, reason, said, observedGeneration], ["True", "Deferred", message, 2]);
  const summary = `{"containers":[{"name":"main","resources":{"limits":{"cpu":"8"},"requests":{"cpu":"5"}}}],"generation":2,"error":"${message}"}`;
  assert.deepEqual(rig.events, [`ResizeDeferred web: Pod resize OutOfcpu: ${summary}`]);

  await rig.client.delete(Pod, "default/other", { gracePeriodSeconds: 0 });
  await rig.settle();
  const later = await look(rig, "web");
  assert.deepEqual([later.main.resources, later.main.allocatedResources], [cpu("5"), { cpu: "5" }]);
  assert.equal(findCondition(later.conditions, "PodResizePending"), undefined);
});

test("[RESIZE3] what waits and is taken back changes nothing, and takes no room from others", async () => {
  await using rig = await startControllerRig(options);
  await runPod(rig, "other", { resources: cpu("4") });
  await runPod(rig, "web", { resources: cpu("1") });
  await resize(rig, "web", cpu("5"));
  await resize(rig, "other", cpu("7"));
  assert.deepEqual((await look(rig, "other")).main.resources, cpu("7"), "a pod that waits has what it had");
  await resize(rig, "web", cpu("1"));
  const { main, conditions } = await look(rig, "web");
  assert.deepEqual([main.resources, main.restartCount], [cpu("1"), 0]);
  assert.deepEqual(
    conditions.filter(({ type }) => type.startsWith("PodResize")),
    [],
  );
});
