import assert from "node:assert/strict";
import { test } from "node:test";
import { forbidden } from "@kaji/core";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import { Lease } from "@kaji/types/coordination/v1";
import { ShardingRig, objectsOf } from "../testing/sharding/sharding-rig.ts";
import type { RiggedReplica } from "../testing/sharding/sharding-rig.ts";
import { Sharding } from "./sharding.ts";

const isLoss = (reason: string) => (error: unknown) => error instanceof LeaseLostError && error.reason === reason;
const ascending = (left: number, right: number): number => left - right;
const sizes = (rig: ShardingRig): number[] => rig.held.map((shards) => shards.length);
const all = (rig: ShardingRig): number[] => rig.held.flat().toSorted(ascending);
const everyShard = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard);

/** Three replicas that have come one after the other, and share eight shards. */
async function three(rig: ShardingRig): Promise<readonly [RiggedReplica, RiggedReplica, RiggedReplica]> {
  const started: RiggedReplica[] = [];
  for (let index = 0; index < 3; index++) {
    started.push(rig.add());
    await rig.time.advance(2000);
  }
  const [first, second, third] = started;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  return [first, second, third];
}

test("[SHARD1] a replica that is alone holds every shard; of several each holds its share, the eldest the most, and a newcomer moves no more than its own", async () => {
  await using rig = new ShardingRig(8);
  rig.add();
  await rig.time.advance(1000);
  assert.deepEqual(rig.held, [everyShard(8)]);
  rig.add();
  await rig.time.advance(2000);
  assert.deepEqual([sizes(rig), all(rig)], [[4, 4], everyShard(8)]);
  const before = rig.held;
  rig.add();
  await rig.time.advance(2000);
  assert.deepEqual([sizes(rig), all(rig)], [[3, 3, 2], everyShard(8)]);
  for (const [index, shards] of before.entries()) assert.ok(rig.held[index]?.every((shard) => shards.includes(shard)));
});

test("[SHARD1] replicas that start together agree, and those for whom no shard is left stand by", async () => {
  await using rig = new ShardingRig(4);
  for (let index = 0; index < 6; index++) rig.add();
  await rig.time.advance(5000);
  assert.deepEqual([sizes(rig).toSorted(ascending), all(rig)], [[0, 0, 1, 1, 1, 1], everyShard(4)]);
});

test("[SHARD2] a replica that ends gives its shards up, and the others have them at once", async () => {
  await using rig = new ShardingRig(8);
  const [first] = await three(rig);
  first.stop();
  await rig.time.advance(1000);
  assert.deepEqual(first.end, { error: undefined });
  assert.deepEqual([sizes(rig), all(rig)], [[4, 4], everyShard(8)]);
  assert.equal(
    rig.server.leases
      .values()
      .filter(({ metadata }) => metadata.name.includes("replica"))
      .toArray().length,
    2,
  );
});

test("[SHARD3] when a replica dies, the others have its shards within the lease duration, and its lease is removed", async () => {
  for (let seed = 0; seed < 10; seed++) {
    await using rig = new ShardingRig(8, seed);
    const [, second] = await three(rig);
    second.kill();
    await rig.time.advance(15_200);
    assert.deepEqual([sizes(rig), all(rig)], [[4, 4], everyShard(8)], `seed ${seed}`);
    assert.equal(
      rig.server.leases
        .values()
        .filter(({ metadata }) => metadata.name.includes("replica"))
        .toArray().length,
      2,
    );
  }
});

test("[SHARD3] a replica that hears nothing of the others takes nothing from them, and its share is what it was when it hears again", async () => {
  await using rig = new ShardingRig(4);
  const [first] = await three(rig);
  const held = rig.held;
  first.network.isDeaf = true;
  for (let passedMs = 0; passedMs < 60_000; passedMs += 250) {
    await rig.time.advance(250);
    for (const key of objectsOf(4)) assert.equal(rig.writers(key).length, 1);
  }
  first.network.isDeaf = false;
  await rig.time.advance(10_000);
  assert.deepEqual(rig.held, held);
});

test("[SHARD4] a replica that cannot renew its lease stops all its work before its shards may be taken", async () => {
  await using rig = new ShardingRig(4);
  const [first] = await three(rig);
  const keys = objectsOf(4);
  const own = keys.filter((key) => rig.writers(key).includes(first));
  assert.ok(own.length > 0);
  first.network.loss = 1;
  await rig.time.advance(11_000);
  for (const key of own) assert.deepEqual(rig.writers(key), []);
  assert.ok(isLoss("Expired")(first.end?.error));
  await rig.time.advance(5000);
  for (const key of keys) assert.equal(rig.writers(key).length, 1);
});

test("[SHARD4] a replica whose lease was taken away cannot come back: it ends, and its shards are taken when its time is over", async () => {
  await using rig = new ShardingRig(4);
  const [first] = await three(rig);
  const name = rig.server.leases
    .keys()
    .find((each) => rig.server.leases.get(each)?.spec?.holderIdentity === first.name && each.includes("replica"));
  assert.ok(name !== undefined);
  // It does not see what others do with its shards.
  first.network.isDeaf = true;
  rig.server.delete(name);
  for (let passedMs = 0; passedMs < 16_000; passedMs += 250) {
    await rig.time.advance(250);
    for (const key of objectsOf(4)) assert.ok(rig.writers(key).length <= 1);
  }
  assert.ok(first.end?.error instanceof LeaseLostError);
  assert.deepEqual(all(rig), everyShard(4));
});

test("[SHARD4] a replica that was buried before it held anything takes part when it goes on", async () => {
  await using rig = new ShardingRig(4);
  rig.add();
  await rig.time.advance(3000);
  const second = rig.add();
  const isMade = (): boolean => rig.server.leases.values().some(({ spec }) => spec?.holderIdentity === second.name);
  while (!isMade()) await rig.time.advance(1);
  // The answer to its first request is late.
  second.clock.block(40_000);
  await rig.time.advance(39_000);
  assert.deepEqual(sizes(rig), [4, 0]);
  await rig.time.advance(8000);
  assert.deepEqual(sizes(rig), [2, 2]);
});

test("[SHARD5] nothing begins in a shard that is given up, and another replica has it when all that was under way has ended", async () => {
  await using rig = new ShardingRig(2);
  const first = rig.add();
  await rig.time.advance(1000);
  const keys = objectsOf(2);
  for (const key of keys) rig.work(first, key, 8000);
  const second = rig.add();
  await rig.time.advance(7000);
  assert.deepEqual([first.jobs.size, sizes(rig)], [2, [1, 0]]);
  const moving = keys.filter((key) => !first.sharding.shards.holds(key));
  assert.equal(moving.length, 1);
  for (const key of moving) first.sharding.shards.fence(key);
  await rig.time.advance(1500);
  assert.deepEqual([first.jobs.size, sizes(rig)], [0, [1, 1]]);
  for (const key of moving) {
    assert.deepEqual(rig.writers(key), [second]);
    assert.throws(() => first.sharding.shards.fence(key), isLoss("NotElected"));
  }
});

test("[SHARD5] what is still under way after 15 s is aborted; a shard in which it does not stop even then stays where it is, and work in it goes on", async () => {
  for (const isStubborn of [false, true]) {
    await using rig = new ShardingRig(2);
    const first = rig.add();
    await rig.time.advance(1000);
    for (const key of objectsOf(2)) rig.work(first, key, 60_000, { isStubborn });
    const gained: number[] = [];
    first.sharding.shards.onGained(
      (isGained) =>
        void gained.push(
          ...objectsOf(2)
            .map((key, shard) => (isGained(key) ? shard : -1))
            .filter((shard) => shard >= 0),
        ),
    );
    rig.add();
    await rig.time.advance(45_000);
    assert.deepEqual(sizes(rig), isStubborn ? [2, 0] : [1, 1]);
    assert.deepEqual(gained.toSorted(ascending), isStubborn ? [0, 1] : []);
    assert.equal(first.log.messages.includes("a shard was not given up: a reconcile of it did not stop after its abort"), isStubborn);
    await rig.time.advance(60_000);
    assert.deepEqual(sizes(rig), [1, 1]);
  }
});

test("[SHARD6] replicas with another number of shards wait until the others have ended, and are never at work beside them", async () => {
  await using rig = new ShardingRig(4);
  const [first, second, third] = await three(rig);
  const [next, last] = [rig.add({ count: 6 }), rig.add({ count: 6 })];
  await rig.time.advance(60_000);
  assert.deepEqual([next.sharding.held, last.sharding.held], [[], []]);
  assert.ok(
    next.sharding.isWaiting && next.log.messages.includes("replicas with another number of shards are at work; waiting until they end"),
  );
  first.stop();
  second.kill();
  await rig.time.advance(30_000);
  assert.deepEqual([third.sharding.held, next.sharding.held], [everyShard(4), []]);
  third.kill();
  await rig.time.advance(12_000);
  assert.deepEqual(next.sharding.held, []);
  await rig.time.advance(8000);
  assert.deepEqual([sizes(rig), all(rig)], [[3, 3], everyShard(6)]);
});

test("[SHARD13] a replica stops its work on a shard whose lease somebody else has changed, and takes it again", async () => {
  await using rig = new ShardingRig(2);
  const first = rig.add();
  await rig.time.advance(1000);
  const [key] = objectsOf(2);
  assert.ok(key !== undefined);
  rig.work(first, key, 60_000);
  rig.server.delete("keeper-shard-0-of-2");
  await rig.time.advance(100);
  assert.equal(first.jobs.size, 0);
  assert.ok(first.log.messages.includes("lost a shard: its lease was changed by somebody else"));
  await rig.time.advance(1000);
  assert.deepEqual(first.sharding.held, [0, 1]);
});

test("[SHARD7] an idle hour is the renewals of each replica's own lease, however many shards there are, and nothing else", async () => {
  await using rig = new ShardingRig(64);
  await three(rig);
  for (const { network } of rig.replicas) network.delayMs = 0;
  await rig.time.advance(10_000);
  const { writes } = rig.server;
  await rig.time.advance(600_000);
  const renewals = rig.server.writes - writes;
  assert.ok(Math.abs(renewals - 3 * 300) < 10, `${renewals} writes`);
});

test("[SHARD8] a replica takes part when its caches are filled, and leaves the shards of others alone until then", async () => {
  await using rig = new ShardingRig(4);
  rig.add();
  const warm = Promise.withResolvers<void>();
  rig.add({ warm: warm.promise });
  await rig.time.advance(60_000);
  assert.deepEqual(sizes(rig), [4, 0]);
  warm.resolve();
  await rig.time.advance(2000);
  assert.deepEqual(sizes(rig), [2, 2]);
});

test("[SHARD9] missing permissions fail at once, and a number that is none is refused", async () => {
  await using rig = new ShardingRig(4);
  const { time: clock, random } = rig;
  const { log } = rig.add();
  const store = rig.server.store({ delayMs: 0, loss: 0, isDeaf: false }, clock, random);
  const refused = async (): Promise<never> => Promise.reject(forbidden(Lease, "", "no"));
  for (const missing of [
    { create: refused },
    {
      watch: async function* (): AsyncGenerator<never> {
        yield await refused();
      },
    },
  ]) {
    const sharding = new Sharding({ store: { ...store, ...missing }, count: 4, identity: "x", clock, random, log });
    const failing = assert.rejects(sharding.run(new AbortController().signal), { reason: "Forbidden" });
    await clock.advance(20_000);
    await failing;
  }
  for (const count of [0, 1.5, Number.NaN])
    assert.throws(
      () => new Sharding({ store, count, identity: "x", clock, random, log }),
      /count, of shards, must be a whole number from 1 up, not /,
    );
});
