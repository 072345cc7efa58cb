import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBelow } from "@kaji/core";
import type { Random } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { RecordingLog } from "../log/testing/recording-log.ts";
import { LeaderElection } from "./leader-election.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import type { LeaseStore } from "./lease-store.ts";
import { ElectionRig } from "../testing/election/election-rig.ts";
import { misfortunes } from "../testing/election/misfortunes.ts";
import { LeaseServer } from "../testing/election/lease-server.ts";
import type { RiggedCandidate } from "../testing/election/election-rig.ts";
import { WorkLeftError } from "./work-left-error.ts";

const isLoss = (reason: string) => (error: unknown) => error instanceof LeaseLostError && error.reason === reason;

test("[EL1] the first candidate creates the lease, and renews it every two seconds", async () => {
  await using rig = new ElectionRig();
  const { election, name } = rig.add();
  assert.throws(() => election.fence(), isLoss("NotElected"));
  await rig.time.advance(1000);
  await election.elected;
  election.fence();
  const first = rig.server.lease?.spec;
  assert.equal(first?.holderIdentity, name);
  assert.equal(first?.leaseDurationSeconds, 15);
  assert.equal(first?.leaseTransitions, 0);
  await rig.time.advance(10_000);
  assert.equal(rig.server.lease?.metadata.resourceVersion, "6");
  assert.equal(rig.server.lease?.spec?.acquireTime, first?.acquireTime);
});

test("[EL2] a released lease is taken at once, in a new term", async () => {
  await using rig = new ElectionRig();
  const [first, second] = await leaderAndFollower(rig);
  assert.deepEqual(rig.writers(), [first]);
  first.stop();
  await rig.time.advance(200);
  assert.deepEqual(first.end, { error: undefined });
  assert.throws(() => first.election.fence(), isLoss("Released"));
  assert.deepEqual(rig.writers(), [second]);
  assert.equal(rig.server.lease?.spec?.leaseTransitions, 1);
});

test("[EL3] a lease is not given back while work is under way", async () => {
  await using rig = new ElectionRig();
  const [first, second] = await leaderAndFollower(rig);
  first.stop(new WorkLeftError("controller bar is still at it"));
  await rig.time.advance(10_000);
  assert.equal(rig.server.lease?.spec?.holderIdentity, first.name);
  assert.deepEqual(rig.writers(), []);
  await rig.time.advance(5000);
  assert.deepEqual(rig.writers(), [second]);
});

test("[EL4] when a leader dies, another one leads within the lease duration", async () => {
  for (let seed = 0; seed < 30; seed++) {
    await using rig = new ElectionRig(seed);
    for (const options of [{ rate: 1.05, skewMs: -5e9 }, { skewMs: 7e9 }, { rate: 0.95 }]) rig.add(options);
    await rig.time.advance(20_000 + rig.random.next() * 4000);
    const [leader] = rig.writers();
    assert.ok(leader);
    leader.kill();
    // What a slow clock and the way of two messages add.
    await rig.time.advance(15_000 / 0.95 + 100);
    const [next, ...more] = rig.writers();
    assert.ok(next !== undefined && next !== leader && more.length === 0, `seed ${seed}`);
  }
});

test("[EL5] a leader that cannot renew stops before its lease may be taken", async () => {
  await using rig = new ElectionRig();
  const [first, second] = await leaderAndFollower(rig);
  first.network.loss = 1;
  await rig.time.advance(11_000);
  assert.deepEqual(rig.writers(), []);
  assert.ok(isLoss("Expired")(first.end?.error) && first.election.lost.aborted);
  await rig.time.advance(4000);
  assert.deepEqual(rig.writers(), [second]);
});

test("[EL6] the fence closes by itself, even while synchronous code keeps everything else from running", async () => {
  await using rig = new ElectionRig();
  const { election, clock, blocks, log } = rig.add();
  await rig.time.advance(4100);
  clock.block(12_000);
  await rig.time.advance(11_000);
  assert.throws(() => election.fence(), isLoss("Expired"));
  await rig.time.advance(1100);
  const [blockedMs = 0] = blocks;
  assert.ok(Math.abs(blockedMs - 12_000) <= 1000, `${blockedMs}`);
  assert.deepEqual(
    log.lines.filter(({ message }) => message.startsWith("the event loop stood still")).map(({ level }) => level),
    ["error"],
  );
});

test("[EL7] a block that the lease outlasts is a warning, and no more", async () => {
  await using rig = new ElectionRig();
  const { election, clock, blocks, log } = rig.add();
  await rig.time.advance(4100);
  clock.block(4000);
  await rig.time.advance(20_000);
  assert.deepEqual([election.isLeading, blocks.length], [true, 1]);
  assert.deepEqual(
    log.lines.filter(({ level }) => level !== "info").map(({ level, message }) => [level, message.split(",")[0]]),
    [["warn", "the event loop stood still"]],
  );
});

test("[EL7] a block while a renewal is under way is reported too", async () => {
  await using rig = new ElectionRig();
  const { clock, network, blocks } = rig.add();
  await rig.time.advance(3900);
  network.loss = 1;
  await rig.time.advance(200);
  clock.block(12_000);
  await rig.time.advance(15_000);
  assert.equal(blocks.length, 1);
  assert.ok((blocks[0] ?? 0) > 6000);
});

test("[EL7] a block that leaves time to renew is reported, and costs nothing", async () => {
  await using rig = new ElectionRig();
  const { clock, blocks, end } = rig.add();
  await rig.time.advance(4000);
  clock.block(5000);
  await rig.time.advance(10_000);
  assert.equal(blocks.length, 1);
  assert.equal(end, undefined);
  assert.equal(rig.writers().length, 1);
});

test("[EL8] when the wall clock jumps, nothing is written until the lease has been renewed", async () => {
  await using rig = new ElectionRig();
  const { election, clock } = rig.add();
  await rig.time.advance(4000);
  for (const jumpMs of [3_600_000, -7_200_000]) {
    clock.jump(jumpMs);
    assert.throws(() => election.fence(), isLoss("Unsure"));
    await rig.time.advance(100);
    election.fence();
  }
});

test("[EL14] at no moment of a renewal is the leader unsure whether it leads", async () => {
  const [clock, random, refusals]: [ManualClock, Random, unknown[]] = [new ManualClock(), seededRandom(1), []];
  const store = new LeaseServer().store({ delayMs: 20, loss: 0 }, clock, random);
  const write = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn++) {
      await Promise.resolve();
      try {
        election.fence();
      } catch (error) {
        refusals.push(error);
      }
    }
  };
  const update: LeaseStore["update"] = async (...renewal) => {
    const lease = await store.update(...renewal);
    void write();
    return lease;
  };
  const election = new LeaderElection({ store: { ...store, update }, identity: "me", clock, random, log: new RecordingLog() });
  const end = new AbortController();
  const running = election.run(end.signal);
  await clock.advance(20_000);
  assert.deepEqual(refusals, []);
  end.abort();
  await clock.advance(1000);
  await running;
});

test("[EL8] a machine that was suspended does not write when it wakes up after its lease was taken", async () => {
  await using rig = new ElectionRig();
  const [first, second] = await leaderAndFollower(rig);
  first.clock.suspend(60_000);
  await rig.time.advance(60_000 - 1);
  assert.deepEqual(rig.writers(), [second]);
  await rig.time.advance(1);
  assert.throws(() => first.election.fence(), LeaseLostError);
  await rig.time.advance(1000);
  assert.ok(isLoss("Taken")(first.end?.error));
});

test("[EL9] a deleted lease is created again by its holder, and not taken by other candidates meanwhile", async () => {
  await using rig = new ElectionRig();
  const [first] = await leaderAndFollower(rig);
  rig.server.delete();
  for (let passedMs = 0; passedMs < 30_000; passedMs += 100) {
    await rig.time.advance(100);
    assert.deepEqual(rig.writers(), [first]);
  }
  assert.equal(rig.server.lease?.spec?.holderIdentity, first.name);
});

test("[EL10] whatever happens to machines and network, there is never more than one leader, and at last there is one", async () => {
  for (let seed = 0; seed < 200; seed++) await playSchedule(seed);
});

test("[EL11] an idle hour of leadership is 1,800 renewals and nothing else", async () => {
  await using rig = new ElectionRig();
  const { network } = rig.add();
  network.delayMs = 0;
  await rig.time.advance(3_600_000);
  assert.ok(Math.abs(Number(rig.server.lease?.metadata.resourceVersion) - 1800) < 5);
});

test("[EL12] times that could not keep leaders apart are refused", () => {
  const options = new ElectionRig();
  const rest = { store: options.server.store({ delayMs: 0, loss: 0 }, options.time, options.random), identity: "a", clock: options.time };
  const election = (times: object) => () =>
    new LeaderElection({ ...rest, random: options.random, log: { ...console, child: () => assert.fail() }, ...times });
  assert.throws(election({ leaseDurationMs: 10_000 }), /leaseDurationMs \(10000\) must be greater than renewDeadlineMs \(10000\)/);
  assert.throws(election({ retryPeriodMs: 9000 }), /renewDeadlineMs \(10000\) must be greater than 1.2 times retryPeriodMs/);
});

async function leaderAndFollower(rig: ElectionRig): Promise<[RiggedCandidate, RiggedCandidate]> {
  const leader = rig.add();
  await rig.time.advance(1000);
  const follower = rig.add();
  await rig.time.advance(4000);
  assert.deepEqual(rig.writers(), [leader]);
  return [leader, follower];
}

/** A minute and a half of random faults of all candidates, then none until a candidate leads. */
async function playSchedule(seed: number): Promise<void> {
  await using rig = new ElectionRig(seed);
  const { random, time } = rig;
  for (let index = 0; index < 3; index++) rig.add({ rate: 0.9 + random.next() * 0.2, skewMs: (random.next() - 0.5) * 1e10 });
  for (let passedMs = 0; passedMs < 90_000; passedMs += 250) {
    await time.advance(250);
    const writers = rig.writers();
    assert.ok(writers.length <= 1, `seed ${seed}, ${passedMs} ms: ${writers.map(({ name }) => name).join(" and ")} lead`);
    if (random.next() < 0.03) misfortune(rig, rig.candidates[randomBelow(random, rig.candidates.length)]);
    if (rig.candidates.filter(({ end }) => end === undefined).length < 3) rig.add({ rate: 0.9 + random.next() * 0.2 });
  }
  for (const { network } of rig.candidates) Object.assign(network, { delayMs: 20, loss: 0 });
  for (let passedMs = 0; rig.writers().length === 0; passedMs += 250) {
    assert.ok(passedMs < 45_000, `seed ${seed}: no candidate leads`);
    await time.advance(250);
    assert.ok(rig.writers().length <= 1, `seed ${seed}, after the storm`);
  }
}

function misfortune({ random, server }: ElectionRig, candidate: RiggedCandidate | undefined): void {
  if (candidate === undefined) return;
  const { network, stop } = candidate;
  const all = [
    ...misfortunes(candidate, random),
    () => Object.assign(network, { loss: 0, delayMs: 20 }),
    () => stop(),
    () => server.touch(),
  ];
  all[randomBelow(random, all.length)]?.();
}
