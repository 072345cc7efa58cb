import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { OwnerReference } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import type { Cluster } from "../../cluster.ts";
import { startCluster } from "../../start-cluster.ts";

const at = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });
const beginning = startCluster({ clock: new ManualClock(), random: seededRandom(1) });
after(async () => (await beginning)[Symbol.asyncDispose]());

test("[FORK2] an object that loses its owner while the collector rests is collected, however often it was written before", async () => {
  await using fork = await forkWithOwner();
  await owned(fork, { name: "owner" });
  for (const value of ["1", "2"]) await fork.client.mergePatch(ConfigMap, at("owned"), { data: { value } });
  await fork.client.delete(ConfigMap, at("owner"));
  await fork.settled();
  assert.deepEqual(await names(fork), ["kube-root-ca.crt"]);
});

test("[FORK2] an object that is given an owner that is not there is collected, though the one it had is", async () => {
  await using fork = await forkWithOwner();
  const owner = await owned(fork, { name: "owner" });
  const other = { ...owner, name: "owner]", uid: "00000000-0000-4000-8000-000000000000" };
  await fork.client.mergePatch(ConfigMap, at("owned"), { metadata: { ownerReferences: [other] } });
  await fork.settled();
  assert.deepEqual(await names(fork), ["kube-root-ca.crt", "owner"]);
});

test("[FORK2] an owner that was deleted and made again under its name is another one", async () => {
  await using fork = await forkWithOwner();
  const owner = await owned(fork, { name: "owner" });
  await fork.client.delete(ConfigMap, at("owned"));
  await fork.client.delete(ConfigMap, at("owner"));
  await fork.client.create(ConfigMap, { metadata: at("owner") });
  await fork.client.create(ConfigMap, { metadata: { ...at("late"), ownerReferences: [owner] } });
  await fork.settled();
  assert.deepEqual(await names(fork), ["kube-root-ca.crt", "owner"]);
});

test("[FORK1] that an owner is there is known in one fork and not in its sibling", async () => {
  await using fork = await forkWithOwner();
  await using sibling = await fork.fork(timeOf(fork));
  const owner = await owned(fork, { name: "owner" });
  await sibling.client.delete(ConfigMap, at("owner"));
  await sibling.client.create(ConfigMap, { metadata: { ...at("owned"), ownerReferences: [owner] } });
  await Promise.all([fork.settled(), sibling.settled()]);
  assert.deepEqual([await names(fork), await names(sibling)], [["kube-root-ca.crt", "owned", "owner"], ["kube-root-ca.crt"]]);
});

async function forkWithOwner(): Promise<Cluster> {
  const base = await beginning;
  const fork = await base.fork(timeOf(base));
  await fork.client.create(ConfigMap, { metadata: at("owner") });
  return fork;
}

/** Makes an object with an owner, and says who that is. */
async function owned(cluster: Cluster, { name }: { readonly name: string }): Promise<OwnerReference> {
  const { metadata } = await cluster.client.get(ConfigMap, at(name));
  const owner = { apiVersion: "v1", kind: "ConfigMap", name, uid: metadata.uid ?? "" };
  await cluster.client.create(ConfigMap, { metadata: { ...at("owned"), ownerReferences: [owner] } });
  await cluster.settled();
  return owner;
}

async function names({ client }: Cluster): Promise<readonly string[]> {
  return (await client.list(ConfigMap, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
}

function timeOf({ clock }: Cluster): Parameters<Cluster["fork"]>[0] {
  return { clock: new ManualClock(clock.now()), random: seededRandom(2) };
}
