import { parentPort, workerData } from "node:worker_threads";
import { randomBelow } from "@kaji/core";
import { misfortunes } from "../election/misfortunes.ts";
import { ShardingRig, objectsOf } from "./sharding-rig.ts";
import type { RiggedReplica } from "./sharding-rig.ts";

// Fences are asked all the time, and closed ones throw: where they do is a third of the work.
Error.stackTraceLimit = 0;

const count = 5;
/** Of a few replicas, as after a change that is being rolled out. */
const otherCount = 7;
const keys = objectsOf(count);

/** A minute and a half of random faults of all replicas, then none until every object has its writer and all have their share. Resolves to what went wrong, if anything did. */
async function playStorm(seed: number): Promise<string | undefined> {
  await using rig = new ShardingRig(count, seed);
  const { random, time } = rig;
  const start = (): RiggedReplica =>
    rig.add({
      rate: 0.9 + random.next() * 0.2,
      skewMs: (random.next() - 0.5) * 1e10,
      count: random.next() < 0.15 ? otherCount : count,
    });
  for (let index = 0; index < 3; index++) start();
  for (let passedMs = 0; passedMs < 90_000; passedMs += 250) {
    await time.advance(250);
    for (const replica of rig.living)
      for (const key of keys) if (random.next() < 0.05) rig.work(replica, key, random.next() * 30_000, { isStubborn: random.next() < 0.1 });
    const trespass = trespassOf(rig);
    if (trespass !== undefined) return `seed ${seed}, ${passedMs} ms: ${trespass}`;
    if (random.next() < 0.03) strike(rig, rig.any());
    if (rig.living.length < 3) start();
  }
  for (const { network } of rig.replicas) Object.assign(network, { delayMs: 20, loss: 0, isDeaf: false });
  for (const replica of rig.living) if (replica.count !== count) replica.stop();
  rig.add();
  for (let passedMs = 0; !isAtRest(rig); passedMs += 250) {
    if (passedMs > 200_000) return `seed ${seed}: it does not come to rest, with ${JSON.stringify(rig.held)}`;
    await time.advance(250);
    const trespass = trespassOf(rig);
    if (trespass !== undefined) return `seed ${seed}, after the storm: ${trespass}`;
  }
  return undefined;
}

function trespassOf(rig: ShardingRig): string | undefined {
  for (const key of keys) {
    const writers = rig.writers(key);
    if (writers.length > 1) return `${writers.map(({ name }) => name).join(" and ")} write ${key}`;
    const workers = rig.workers(key).filter((replica) => !writers.includes(replica));
    if (writers.length > 0 && workers.length > 0) return `${writers[0]?.name} writes ${key}, which ${workers[0]?.name} is still at`;
  }
  return undefined;
}

function isAtRest(rig: ShardingRig): boolean {
  const sizes = rig.held.map((shards) => shards.length);
  return keys.every((key) => rig.writers(key).length === 1) && Math.max(...sizes) - Math.min(...sizes) <= 1;
}

function strike({ random }: ShardingRig, replica: RiggedReplica | undefined): void {
  if (replica === undefined) return;
  const { network, stop, kill } = replica;
  const all = [
    ...misfortunes(replica, random),
    () => Object.assign(network, { loss: 0, delayMs: 20, isDeaf: false }),
    () => Object.assign(network, { isDeaf: true }),
    () => stop(),
    () => kill(),
  ];
  all[randomBelow(random, all.length)]?.();
}

const { from, to } = workerData as { readonly from: number; readonly to: number };
const problems: string[] = [];
for (let seed = from; seed < to; seed++) {
  const problem = await playStorm(seed);
  if (problem !== undefined) problems.push(problem);
}
// In a thread of its own, where the test runner does not follow every promise: that would take most of the time.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window, and has no origin
parentPort?.postMessage(problems);
