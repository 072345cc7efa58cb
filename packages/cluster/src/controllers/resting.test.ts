import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { startCluster } from "../start-cluster.ts";
import { performPlay } from "./testing/perform-play.ts";
import { restartPlays } from "./testing/restart-plays.ts";

const clock = new ManualClock();
const options = { random: seededRandom(1), rbac: false };
/** Everybody is at work in it; in its copies everybody rests at the beginning. */
const awake = startCluster({ ...options, clock });
after(async () => (await awake)[Symbol.asyncDispose]());

for (const [name, play] of Object.entries(restartPlays)) {
  test(`[FORK2] ${name}: where control loops rest until they are needed, the end is the same`, async () => {
    const resting = await (await awake).snapshot();
    const time = new ManualClock(resting.atMs);
    await using fork = await resting.restore({ clock: time, random: seededRandom(2) });
    const end = await performPlay(play, { cluster: fork, clock: time, settled: () => fork.settled() });

    const freshTime = new ManualClock();
    await using fresh = await startCluster({ ...options, clock: freshTime });
    assert.deepEqual(end, await performPlay(play, { cluster: fresh, clock: freshTime, settled: () => fresh.settled() }));
  });
}
