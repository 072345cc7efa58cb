import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { randomBelow } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { Follower } from "./follower.ts";
import { Ledger, namespace } from "./ledger.ts";
import { startPlane } from "./running-plane.ts";

const kills = 20;
const writers = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
const last = "last";

test(`after each of ${kills} kills of kaji up every acknowledged write is there, and a watcher that resumes misses nothing`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kaji-kill-"));
  const random = seededRandom(7);
  const [ledger, follower] = [new Ledger(), new Follower()];
  try {
    for (let kill = 0; kill < kills; kill++) await writeUntilKilled(folder, ledger, follower, 30 + randomBelow(random, 150));

    await using plane = await startPlane(folder);
    await ledger.check(plane.client);
    await plane.client.create(ConfigMap, { metadata: { name: last, namespace }, data: { value: "" } });
    await follower.follow(plane.client, last);
    const { items } = await plane.client.list(ConfigMap, { namespace });
    assert.deepEqual(follower.objects, new Map(items.map(({ metadata, data }) => [metadata.name, data?.["value"]])));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  assert.ok(ledger.count >= kills * 30, `only ${ledger.count} writes were acknowledged`);
});

/** Starts the program, checks what it still knows, and kills it in the middle of things, after so many writes. */
async function writeUntilKilled(folder: string, ledger: Ledger, follower: Follower, writes: number): Promise<void> {
  await using plane = await startPlane(folder);
  const { client } = plane;
  if (ledger.count === 0) await client.create(Namespace, { metadata: { name: namespace } });
  else await ledger.check(client);
  const following = follower.follow(client, last);
  const enough = Promise.withResolvers<void>();
  const end = ledger.count + writes;
  const writing = writers.map((name) => ledger.write(client, name, () => ledger.count >= end && enough.resolve()));
  await Promise.race([enough.promise, ...writing]);
  await plane.kill();
  await following;
  const outcomes = await Promise.allSettled(writing);
  for (const outcome of outcomes)
    if (outcome.status === "rejected" && outcome.reason instanceof assert.AssertionError) throw outcome.reason;
}
