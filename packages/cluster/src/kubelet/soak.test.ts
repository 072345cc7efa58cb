import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBelow } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Node, Pod } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { PriorityClass } from "@kaji/types/scheduling/v1";
import { podInfo } from "../scheduler/pod-info.ts";
import { startRig } from "../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../scheduler/testing/scheduler-rig.ts";
import { SimulatedRuntime } from "./simulated-runtime.ts";
import { startKubelet } from "./start-kubelet.ts";

const nodes = ["a", "b", "c", "d"];

/** A spec that chance makes: some ask for much, some for a port, some want to be alone, some end. */
function specOf(roll: (limit: number) => number): Partial<PodSpec> {
  const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "lonely" } } };
  const ports = roll(5) === 0 ? { ports: [{ containerPort: 80, hostPort: 80 }] } : {};
  const command = roll(4) === 0 ? { command: ["sh", "-c", `sleep ${roll(60)}; exit ${roll(2)}`] } : {};
  return {
    containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: `${100 * (1 + roll(15))}m` } }, ...ports, ...command }],
    ...(roll(2) === 0 ? { restartPolicy: "Never" } : {}),
    ...(roll(6) === 0 ? { priorityClassName: "high" } : {}),
    ...(roll(6) === 0 ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } : {}),
  };
}

async function requireSound(rig: SchedulerRig): Promise<void> {
  const { items } = await rig.client.list(Pod, { namespace: "default" });
  const active = items.filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed");
  for (const node of nodes) {
    const here = active.filter(({ spec }) => spec?.nodeName === node).map((pod) => podInfo(pod));
    const cpu = here.reduce((sum, { requests }) => sum + (requests.get("cpu") ?? 0), 0);
    assert.ok(cpu <= 4000, `${node} has ${cpu}m of cpu in use`);
    assert.ok(here.filter(({ hostPorts }) => hostPorts.length > 0).length <= 1, `${node} has a port twice`);
    const shy = here.filter(({ affinities }) => affinities.requiredAnti.length > 0);
    const disturbed = shy.filter((pod) => here.some((other) => other !== pod && other.labels["app"] === "lonely"));
    assert.deepEqual(
      disturbed.map(({ key }) => key),
      [],
      `${node} has pods together that do not want it`,
    );
    assert.deepEqual(
      here.filter(({ pod }) => pod.status?.phase !== "Running").map(({ key }) => key),
      [],
      `${node} has pods that do not run`,
    );
  }
  const addresses = active.flatMap(({ status }) => (status?.podIP === undefined ? [] : [status.podIP]));
  assert.equal(new Set(addresses).size, addresses.length, "an address is had twice");
  const waiting = active.filter(({ spec }) => spec?.nodeName === undefined);
  for (const { metadata, status } of waiting)
    assert.equal(status?.conditions?.[0]?.reason, "Unschedulable", `${metadata.name} waits without a word`);
}

test("whatever comes and goes, no node takes more than it has, and every pod runs or says why not", async () => {
  for (const seed of [1, 2, 3]) {
    const random = seededRandom(seed);
    const roll = (limit: number): number => randomBelow(random, limit);
    await using rig = await startRig();
    await rig.client.create(PriorityClass, { metadata: { name: "high" }, value: 1000 });
    const runtime = new SimulatedRuntime(rig.clock);
    await using _kubelet = await startKubelet({ ...rig, nodes: nodes.map((name) => ({ name, capacity: { cpu: "4" } })), runtime });
    for (const name of nodes) await rig.client.mergePatch(Node, { name }, { spec: { taints: null } });
    const alive: string[] = [];
    for (let step = 0; step < 60; step++) {
      if (roll(3) > 0) {
        const name = `pod-${step}`;
        await rig.addPod(name, specOf(roll), { app: roll(3) === 0 ? "lonely" : "web" });
        alive.push(name);
      } else {
        const [name] = alive.splice(roll(alive.length), 1);
        if (name !== undefined) await rig.client.delete(Pod, { namespace: "default", name }).catch(() => {});
      }
      if (roll(4) === 0) await rig.clock.advance(1000 * roll(20));
    }
    await rig.settle();
    await rig.settle();
    await requireSound(rig);
  }
});
