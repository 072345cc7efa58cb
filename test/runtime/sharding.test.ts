import assert from "node:assert/strict";
import { test } from "node:test";
import { TransportError } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { ManualClock } from "@kaji/core/testing";
import { convert, defineController, runController, shardOf } from "@kaji/runtime";
import type { Controller, OperatorRunnable } from "@kaji/runtime";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Lease } from "@kaji/types/coordination/v1";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";

/** Each ConfigMap gets a Secret of its name. */
const copier: Controller = defineController(ConfigMap, {
  name: "copier",
  owns: [Secret],
  concurrency: 4,
  async reconcile(config, { apply }) {
    await apply(Secret, { metadata: { name: config.metadata.name }, stringData: { copied: config.data?.["text"] ?? "" } });
  },
});

const operator = { name: "copier", controllers: [copier] };
const argv = ["--shards", "8"];
const names = Array.from({ length: 200 }, (_, index) => `object-${index}`);

test("[SHARD11] three replicas share 200 objects; when one is cut off, the others have its objects within the lease duration, and none is left behind", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("shop");
  await rig.createNamespace("default");
  let isCut = false;
  const cut = rig.start(operator, {
    argv,
    wrap: (transport) => (request) => (isCut ? Promise.reject(new TransportError("Unreachable", "cut off")) : transport(request)),
  });
  await clock.advance(2000);
  const others = [rig.start(operator, { argv }), rig.start(operator, { argv })];
  await clock.advance(5000);
  for (const name of names) await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name }, data: { text: "1" } });
  await clock.advance(2000);
  const writers = writersOf(rig, 0);
  assert.equal(writers.size, 200);
  assert.ok(writers.values().every((users) => users.size === 1));
  const holders = await holdersOf(rig);
  assert.deepEqual([...new Set(holders)].toSorted(), ["operator-0", "operator-1", "operator-2"]);
  for (const [name, users] of writers) assert.deepEqual([...users], [holders[shardOf(`shop/${name}`, 8)]], name);

  isCut = true;
  const since = rig.requests.length;
  await clock.advance(15_500);
  assert.deepEqual(cut.exits, [1]);
  assert.match(cut.err(), /copier: the lease was not renewed within 10 s; .*exiting, to be restarted\n$/);
  for (const name of names) await rig.client.mergePatch(ConfigMap, { namespace: "shop", name }, { data: { text: "2" } });
  await clock.advance(2000);
  const after = writersOf(rig, since);
  assert.equal(after.size, 200);
  assert.deepEqual([...new Set(after.values().flatMap((users) => users))].toSorted(), ["operator-1", "operator-2"]);
  const { items } = await rig.client.list(Secret, { namespace: "shop" });
  assert.ok(items.every(({ data }) => atob(data?.["copied"] ?? "") === "2"));

  for (const { signal } of others) signal();
  await clock.advance(10_000);
  assert.deepEqual(
    others.map(({ exits }) => exits),
    [[0], [0]],
  );
  assert.deepEqual(
    await holdersOf(rig),
    Array.from({ length: 8 }, () => ""),
  );
});

test("[SHARD15] a part that needs the leader runs on one replica alone, by the lease of the election; one that does not, in each", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const told: string[] = [];
  const late = defineController(Secret, { name: "late", reconcile: ({ metadata }) => void told.push(`late ${metadata.name}`) });
  const start = (replica: string): ReturnType<OperatorRig["start"]> => {
    const led: OperatorRunnable = {
      name: "led",
      needsLeader: true,
      async run(signal, services) {
        told.push(`${replica} leads`);
        await runController(late, services).run(signal);
      },
    };
    const each: OperatorRunnable = { name: "each", run: async () => void told.push(`${replica} runs`) };
    return rig.start({ ...operator, runnables: [led, each] }, { argv });
  };
  const replicas = [start("first"), start("second")];
  await clock.advance(5000);
  await rig.client.create(Secret, { metadata: { name: "s", namespace: "default" } });
  await clock.advance(1000);
  assert.deepEqual(
    told.toSorted(),
    ["first runs", "late s", "second runs", told.includes("first leads") ? "first leads" : "second leads"].toSorted(),
  );
  assert.match((await rig.client.get(Lease, "default/copier")).spec?.holderIdentity ?? "", /^host-/);
  for (const { signal } of replicas) signal();
  await clock.advance(10_000);
});

test("[SHARD16] how many shards are held is a metric, and /readyz says whether the replica has joined", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const servers = ["--metrics-address=127.0.0.1:0", "--health-address=127.0.0.1:0", "--log-level=debug"];
  let isCut = true;
  const wrap = (transport: Transport): Transport => {
    return (request) =>
      isCut && request.path.includes("/leases") ? Promise.reject(new TransportError("Unreachable", "cut off")) : transport(request);
  };
  const started = rig.start(operator, { argv: [...argv, ...servers], wrap });
  const ports = await portsOf(started, 2);
  const get = async (server: string, path: string): Promise<string> => (await fetch(`http://127.0.0.1:${ports.get(server)}${path}`)).text();
  assert.match(await get("health", "/readyz/shards"), /this replica has not joined the others yet/);
  isCut = false;
  await clock.advance(10_000);
  assert.equal(await get("health", "/readyz/shards"), "ok");
  const text = await get("metrics", "/metrics");
  assert.match(text, /^kaji_shards_held\{name="copier"\} 8$/m);
  assert.match(text, /^kaji_shard_replicas\{name="copier"\} 1$/m);
  started.signal();
  await clock.advance(10_000);
  await started.ended;
});

test("[SHARD16] a replica is ready before it has joined if it has to convert itself what it mirrors: it is not asked until then", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const Lamp = defineResource({
    group: "shop.example.com",
    version: "v1",
    kind: "Lamp",
    spec: z.object({ colour: z.string() }),
    versions: { v1alpha1: { spec: z.object({ color: z.string() }) } },
  });
  const conversion = convert(Lamp, { v1alpha1: ({ move }) => [move("spec.color", "spec.colour")] });
  await rig.client.create(CustomResourceDefinition, Lamp.crd());
  let isAsked = false;
  // As long as no endpoint of the Service is ready.
  const refused = (): Promise<never> => Promise.reject(new TransportError("Unreachable", "no endpoints available"));
  const wrap =
    (transport: Transport): Transport =>
    (request) =>
      !isAsked && request.path.includes("/v1/lamps") ? refused() : transport(request);
  const lamps = { name: "lamps", controllers: [defineController(Lamp, { reconcile() {} })], conversions: [conversion] };
  const servers = ["--health-address=127.0.0.1:0", "--webhook-address=127.0.0.1:0", "--log-level=debug"];
  const started = rig.start(lamps, { argv: [...argv, ...servers], wrap });
  const ports = await portsOf(started, 1);
  const ready = async (check: string): Promise<string> => (await fetch(`http://127.0.0.1:${ports.get("health")}/readyz${check}`)).text();
  while ((await ready("/webhooks")) !== "ok") await clock.advance(100);
  assert.match(await ready("?verbose"), /\[\+\]shards ok \(not joined yet, its caches wait for what is converted here\)/);
  isAsked = true;
  await clock.advance(60_000);
  assert.match(await ready("?verbose"), /\[\+\]shards ok\n/);
  started.signal();
  await clock.advance(10_000);
  await started.ended;
});

test("[SHARD9] leases that may not be used are named with the rule to add", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock, isAllowed: (_user, verb, plural) => plural !== "leases" || verb === "create" });
  const started = rig.start(operator, { argv });
  await clock.advance(2000);
  assert.deepEqual(started.exits, [1]);
  assert.match(
    started.err(),
    /copier: sharding is not possible in namespace default: leases.* is forbidden: .*; add to its Role in default: .*verbs: \["get", "list", "watch", "create", "update", "delete"\] \}\n$/,
  );
});

/** Who wrote each Secret. */
function writersOf(rig: OperatorRig, since: number): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map<string, Set<string>>();
  for (const { info, user } of rig.requests.slice(since)) {
    if (info.type !== "Resource" || info.resource !== "secrets" || info.name === undefined || info.verb === "get") continue;
    writers.set(info.name, (writers.get(info.name) ?? new Set()).add(user?.username ?? ""));
  }
  return writers;
}

/** By shard, the user of the replica that holds it. */
async function holdersOf(rig: OperatorRig): Promise<readonly string[]> {
  const { items } = await rig.client.list(Lease, { namespace: "default", labelSelector: "kaji.dev/shard" });
  const byShard = items.toSorted(
    (left, right) => Number(left.metadata.labels?.["kaji.dev/shard"]) - Number(right.metadata.labels?.["kaji.dev/shard"]),
  );
  return byShard.map(({ spec }) => (spec?.holderIdentity ?? "").replace(/^host-(\d+)_.*/, "operator-$1"));
}
