import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "../declare/define-controller.ts";
import { every } from "../sources/every.ts";
import { Bar, barController, barDraft, barWorld } from "../testing/bar.ts";
import { HeldShards } from "./held-shards.ts";
import { shardOf } from "./shard-of.ts";

/** Two Bars of each of two shards. */
const [zero, one] = [0, 1].map((shard) =>
  Array.from({ length: 20 }, (_, index) => `bar-${index}`)
    .filter((name) => shardOf(`default/${name}`, 2) === shard)
    .slice(0, 2),
) as [string[], string[]];
const names = [...zero, ...one];
const open = (): void => {};

test("[SHARD11] a controller reconciles the objects of its shards, and all objects of a shard when it comes", async () => {
  await using world = await barWorld();
  const shards = new HeldShards(2, open);
  const reconciled: string[] = [];
  const controller = defineController(Bar, { reconcile: ({ metadata }) => void reconciled.push(metadata.name) });
  for (const name of names) await world.client.create(Bar, barDraft(name));
  const { running } = world.start(controller, { shards });
  await world.pass(10_000);
  assert.deepEqual([reconciled, running.load.queued], [[], 0]);
  shards.gain([1]);
  await world.settle();
  assert.deepEqual(reconciled.toSorted(), one.toSorted());
  for (const name of names) await world.client.mergePatch(Bar, { namespace: "default", name }, { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(reconciled.toSorted(), [...one, ...one].toSorted());
  for (const name of names) running.enqueue(`default/${name}`);
  await world.settle();
  assert.deepEqual(reconciled.toSorted(), [...one, ...one, ...one].toSorted());
});

test("[SHARD11] those that need no leader reconcile all objects in each replica", async () => {
  await using world = await barWorld();
  const reconciled: string[] = [];
  const controller = defineController(Bar, { needsLeader: false, reconcile: ({ metadata }) => void reconciled.push(metadata.name) });
  for (const name of names) await world.client.create(Bar, barDraft(name));
  world.start(controller, { shards: new HeldShards(2, open) });
  await world.settle();
  assert.deepEqual(reconciled.toSorted(), names.toSorted());
});

test("[SHARD11] sources are shown the objects of its shards, and keys that wait when their shard goes are dropped", async () => {
  await using world = await barWorld();
  const shards = new HeldShards(2, open);
  let looks: string[] = [];
  const controller = defineController(Bar, {
    sources: [every("10s")],
    async reconcile({ metadata }, { clock }) {
      looks.push(metadata.name);
      await clock.sleep(1000);
    },
  });
  for (const name of names) await world.client.create(Bar, barDraft(name));
  const { running } = world.start(controller, { shards });
  shards.gain([0, 1]);
  await world.pass(1500);
  const drained = [shards.drain(0, world.clock, 5000), shards.drain(1, world.clock, 5000)];
  assert.equal(running.load.queued, 2);
  await world.pass(1000);
  assert.deepEqual([await Promise.all(drained), running.load.queued, looks.length], [[true, true], 0, 2]);
  looks = [];
  shards.gain([0]);
  await world.pass(60_000);
  assert.deepEqual([...new Set(looks)].toSorted(), zero.toSorted());
});

test("[SHARD14] a write for an object whose shard is not held, or while the replica may have lost its lease, is refused", async () => {
  await using world = await barWorld();
  let isLost = false;
  const shards = new HeldShards(2, () => {
    if (isLost) throw new Error("the lease of this replica is lost");
  });
  const [name = ""] = zero;
  const asked = Promise.withResolvers<void>();
  const writes: unknown[] = [];
  const controller = defineController(Bar, {
    async reconcile(_bar, { setStatus }) {
      await asked.promise;
      if (writes.length > 0) return;
      for (const act of [() => shards.close(0), () => shards.gain([0]), () => void (isLost = true)]) {
        act();
        writes.push(await setStatus({ size: writes.length + 10 }).then(() => "written", String));
      }
    },
  });
  world.start(controller, { shards });
  shards.gain([0]);
  await world.client.create(Bar, barDraft(name));
  await world.settle();
  asked.resolve();
  await world.pass(0);
  assert.deepEqual(writes.slice(0, 3), [
    `LeaseLostError: another replica may hold the shard of default/${name}: writes are refused`,
    "written",
    "Error: the lease of this replica is lost",
  ]);
});

test("[SHARD5] a reconcile keeps its shard from being released until it has ended, and is aborted with it", async () => {
  await using world = await barWorld();
  const shards = new HeldShards(2, open);
  const [name = ""] = zero;
  let isAborted = false;
  const controller = defineController(Bar, {
    async reconcile(_bar, { clock, signal }) {
      await clock.sleep(60_000, signal).catch(() => (isAborted = true));
    },
  });
  world.start(controller, { shards });
  shards.gain([0]);
  await world.client.create(Bar, barDraft(name));
  await world.settle();
  const draining = shards.drain(0, world.clock, 1000);
  await world.pass(1000);
  assert.equal(await draining, false);
  shards.abort(0, new Error("it is given to another replica"));
  await world.settle();
  assert.deepEqual([isAborted, await shards.drain(0, world.clock, 0)], [true, true]);
});

test("[SHARD11] two replicas bring every object to what is wanted, each its own", async () => {
  await using world = await barWorld();
  const [left, right] = [new HeldShards(2, open), new HeldShards(2, open)];
  world.start(barController, { shards: left });
  world.start(barController, { shards: right });
  left.gain([0]);
  right.gain([1]);
  for (const name of names) await world.client.create(Bar, barDraft(name));
  await world.settle();
  const writes = world.takeWrites();
  assert.deepEqual(writes.toSorted(), names.flatMap((name) => [`PATCH bars/${name}/status`, `PATCH parts/${name}-part`]).toSorted());
  left.lose(0, new Error("it is lost"));
  right.gain([0]);
  await world.pass(60_000);
  assert.deepEqual(world.takeWrites(), [], "whoever takes a shard over finds all as wanted");
});
