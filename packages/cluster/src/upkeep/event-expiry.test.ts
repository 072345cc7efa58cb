import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { Event } from "@kaji/types/core/v1";
import { startCluster } from "../start-cluster.ts";

test("events go an hour after they were last written", async () => {
  const clock = new ManualClock();
  await using cluster = await startCluster({ clock, controllers: [], nodes: 0, scheduler: false });
  const { client } = cluster;
  const names = async (): Promise<readonly string[]> => (await client.list(Event)).items.map(({ metadata }) => metadata.name);
  const involvedObject = { kind: "Pod", namespace: "default", name: "web" };
  for (const name of ["a", "b"]) await client.create(Event, { metadata: { namespace: "default", name }, involvedObject });
  await clock.advance(1_800_000);
  await client.mergePatch(Event, { namespace: "default", name: "b" }, { count: 2 });
  await clock.advance(1_799_000);
  assert.deepEqual(await names(), ["a", "b"]);
  await clock.advance(1000);
  assert.deepEqual(await names(), ["b"]);
  await clock.advance(1_800_000);
  assert.deepEqual(await names(), []);
  assert.equal(clock.nextDueMs === undefined || clock.nextDueMs > clock.now(), true);
});
