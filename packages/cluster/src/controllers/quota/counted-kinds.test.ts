import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { startCluster } from "../../start-cluster.ts";
import { CountedKinds } from "./counted-kinds.ts";

const { signal } = new AbortController();

test("[ADM13] a kind is followed once, by no more than has to be known of it, for as long as it is named", async () => {
  const clock = new ManualClock();
  await using cluster = await startCluster({ clock, random: seededRandom(1), controllers: [] });
  const followed: string[] = [];
  const kinds = new CountedKinds(cluster.client.discovery, clock, {
    follow: ({ resource, type }) => {
      followed.push(`${type} ${resource.plural}`);
      return { synced: Promise.resolve(), [Symbol.dispose]: () => followed.push(`no ${resource.plural}`) };
    },
    isFailing: () => false,
  });
  const names = new Set(["pods", "deployments.apps", "nodes", "foos.example.com"]);
  for (let round = 0; round < 2; round++) {
    const views = await kinds.readable(names, signal);
    assert.deepEqual(
      views.map(({ resource }) => resource.kind),
      ["Pod", "Deployment"],
    );
  }
  assert.deepEqual(followed.splice(0), ["Whole pods", "Metadata deployments"]);
  kinds.keepOnly(new Set(["pods"]));
  assert.deepEqual([followed.splice(0), kinds.isFollowed("pods"), kinds.isFollowed("deployments.apps")], [["no deployments"], true, false]);
});

test("a kind whose objects do not come is waited for, but not for ever, and is followed anew when something is in its way", async () => {
  const clock = new ManualClock();
  await using cluster = await startCluster({ clock, random: seededRandom(1), controllers: [] });
  let [isFailing, follows] = [false, 0];
  const kinds = new CountedKinds(cluster.client.discovery, clock, {
    follow: () => {
      follows++;
      return { synced: follows === 1 ? new Promise(() => {}) : Promise.resolve(), [Symbol.dispose]: () => {} };
    },
    isFailing: () => isFailing,
  });
  const names = new Set(["secrets"]);
  const readable = kinds.readable(names, signal);
  await cluster.settled();
  await clock.advance(5_000);
  assert.deepEqual(await readable, []);
  isFailing = true;
  assert.equal((await kinds.readable(names, signal)).length, 1);
});
