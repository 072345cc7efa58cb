import assert from "node:assert/strict";
import { test } from "node:test";
import { unlessGone } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Service } from "@kaji/types/core/v1";
import { ServiceCIDR } from "@kaji/types/networking/v1";
import type { Cluster } from "../../cluster.ts";
import { startCluster } from "../../start-cluster.ts";

async function start(): Promise<Cluster & { readonly clock: ManualClock }> {
  const clock = new ManualClock();
  return { ...(await startCluster({ clock, random: seededRandom(1), controllers: ["service-cidr-controller"] })), clock };
}

/** What is said of a range: the finalizers and the condition Ready; undefined when it is gone. */
async function stateOf({ client }: Cluster, name: string): Promise<string | undefined> {
  const range = await unlessGone(client.get(ServiceCIDR, name));
  if (range === undefined) return undefined;
  const [condition] = range.status?.conditions ?? [];
  return `${range.metadata.finalizers?.join()} ${condition?.status} ${condition?.reason} ${condition?.message}`;
}

const ready = "networking.k8s.io/service-cidr-finalizer True  Kubernetes Service CIDR is ready";

test("[SVC4] a ServiceCIDR is protected and ready, that of a new cluster, too", async () => {
  await using cluster = await start();
  await cluster.client.create(ServiceCIDR, { metadata: { name: "more" }, spec: { cidrs: ["10.7.0.0/24"] } });
  await cluster.settled();
  assert.equal(await stateOf(cluster, "kubernetes"), ready);
  assert.equal(await stateOf(cluster, "more"), ready);
});

test("[SVC4] a ServiceCIDR that is deleted stays while a service has an address that is in no other, and for ten seconds", async () => {
  await using cluster = await start();
  const { client, clock } = cluster;
  await client.create(ServiceCIDR, { metadata: { name: "more" }, spec: { cidrs: ["10.7.0.0/24"] } });
  const address = { namespace: "default", name: "web" };
  await client.create(Service, { metadata: address, spec: { clusterIP: "10.7.0.9", ports: [{ port: 80 }] } });
  await cluster.settled();
  await client.delete(ServiceCIDR, "more");
  await cluster.settled();
  await clock.advance(60_000);
  await cluster.settled();
  assert.match((await stateOf(cluster, "more")) ?? "", /False Terminating There are still IPAddresses referencing the ServiceCIDR/);
  await client.delete(Service, address);
  await cluster.settled();
  assert.equal(await stateOf(cluster, "more"), undefined);
});

test("[SVC4] a ServiceCIDR whose addresses are all in another goes, ten seconds after its deletion", async () => {
  await using cluster = await start();
  const { client, clock } = cluster;
  await client.create(ServiceCIDR, { metadata: { name: "part" }, spec: { cidrs: ["10.0.3.0/24"] } });
  await client.create(Service, { metadata: { namespace: "default", name: "web" }, spec: { clusterIP: "10.0.3.9", ports: [{ port: 80 }] } });
  await cluster.settled();
  await client.delete(ServiceCIDR, "part");
  await cluster.settled();
  await clock.advance(9000);
  await cluster.settled();
  assert.notEqual(await stateOf(cluster, "part"), undefined);
  await clock.advance(1000);
  await cluster.settled();
  assert.equal(await stateOf(cluster, "part"), undefined);
});

test("[SVC4] a ServiceCIDR that waits for a service goes when that goes, or when another has all its addresses, in a fork, too", async () => {
  await using cluster = await start();
  const { client } = cluster;
  await client.create(ServiceCIDR, { metadata: { name: "more" }, spec: { cidrs: ["10.7.0.0/24"] } });
  const address = { namespace: "default", name: "web" };
  await client.create(Service, { metadata: address, spec: { clusterIP: "10.7.0.9", ports: [{ port: 80 }] } });
  await cluster.settled();
  await client.delete(ServiceCIDR, "more");
  await cluster.settled();
  await cluster.clock.advance(20_000);
  await cluster.settled();
  await using withoutService = await cluster.fork();
  await withoutService.client.delete(Service, address);
  await withoutService.settled();
  assert.equal(await stateOf(withoutService, "more"), undefined);
  await using withLarger = await cluster.fork();
  await withLarger.client.create(ServiceCIDR, { metadata: { name: "larger" }, spec: { cidrs: ["10.7.0.0/16"] } });
  await withLarger.settled();
  assert.equal(await stateOf(withLarger, "more"), undefined);
  await client.create(ServiceCIDR, { metadata: { name: "larger" }, spec: { cidrs: ["10.7.0.0/16"] } });
  await cluster.settled();
  assert.equal(await stateOf(cluster, "more"), undefined);
});
