import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Endpoints, Node, Pod, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { Cluster } from "../cluster.ts";
import { startCluster } from "../start-cluster.ts";

const at = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });
const labels = { app: "web" };
const container = { name: "web", image: "nginx" };
const driving = { key: "maintenance", effect: "NoExecute" } as const;

/** At rest, with a pod that runs and a Service that selects nothing. */
const resting = startResting();
after(async () => (await resting)[Symbol.asyncDispose]());

test("[FORK2] a Service that selected nothing has endpoints as soon as it selects", async () => {
  await using fork = await forkOf(await resting);
  await fork.client.mergePatch(Pod, at("web"), { metadata: { annotations: { seen: "yes" } } });
  await fork.settled();
  await assert.rejects(fork.client.get(Endpoints, at("web")), { reason: "NotFound" });

  await fork.client.mergePatch(Service, at("web"), { spec: { selector: labels } });
  await fork.settled();
  const endpoints = await fork.client.get(Endpoints, at("web"));
  const slices = await fork.client.list(EndpointSlice, { namespace: "default" });
  const slice = slices.items.find(({ metadata }) => metadata.generateName === "web-");
  const pod = await fork.client.get(Pod, at("web"));
  assert.deepEqual(
    [endpoints.subsets?.[0]?.addresses?.[0]?.ip, slice?.endpoints?.[0]?.addresses[0]],
    [pod.status?.podIP, pod.status?.podIP],
  );
});

test("[FORK2] a node that drives its pods off does so, whether the taint or the pod comes first", async () => {
  await using fork = await forkOf(await resting);
  await fork.client.mergePatch(Node, { name: "node-1" }, { spec: { taints: [driving] } });
  await fork.settled();
  await assert.rejects(fork.client.get(Pod, at("web")), { reason: "NotFound" });

  await using later = await forkOf(fork);
  await later.client.create(Pod, { metadata: at("late"), spec: { nodeName: "node-1", containers: [container] } });
  await later.settled();
  await assert.rejects(later.client.get(Pod, at("late")), { reason: "NotFound" });
});

async function startResting(): Promise<Cluster> {
  const cluster = await startCluster({ clock: new ManualClock(), random: seededRandom(1) });
  await cluster.client.create(Service, { metadata: at("web"), spec: { ports: [{ port: 80 }] } });
  await cluster.client.create(Pod, { metadata: { ...at("web"), labels }, spec: { containers: [container] } });
  await cluster.settled();
  return cluster;
}

async function forkOf(cluster: Cluster): Promise<Cluster> {
  const snapshot = await cluster.snapshot();
  return snapshot.restore({ clock: new ManualClock(snapshot.atMs), random: seededRandom(2) });
}
