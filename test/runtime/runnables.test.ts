import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { defineController, runController, watch } from "@kaji/runtime";
import type { OperatorRunnable } from "@kaji/runtime";
import { ConfigMap, Secret, ServiceAccount } from "@kaji/types/core/v1";
import { OperatorRig } from "./operator-rig.ts";

test("[OP10] a part of its own has the client, the caches and the controllers of the operator; one that is done is no failure", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const seen: string[] = [];
  const watcher: OperatorRunnable = {
    name: "watcher",
    async run(signal, { client, controllers, informers }) {
      assert.equal((await client.list(ConfigMap, { namespace: "default", signal })).items.length, 0);
      using _held = informers.acquire(Secret);
      const copier = controllers.get("copier") ?? assert.fail();
      copier.watch(watch(ServiceAccount, { toKeys: () => ["default/a"] }));
    },
  };
  const copier = defineController(ConfigMap, { name: "copier", reconcile: ({ metadata }) => void seen.push(metadata.name) });
  const started = rig.start({ name: "own", controllers: [copier], runnables: [watcher] });
  await clock.advance(1000);
  await rig.client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  await clock.advance(1000);
  await rig.client.create(ServiceAccount, { metadata: { name: "robot", namespace: "default" } });
  await clock.advance(1000);
  assert.deepEqual([seen, started.exits], [["a", "a"], []]);
  started.signal();
  await clock.advance(1000);
  assert.deepEqual(started.exits, [0]);
});

test("[OP10] one that needs the leader runs on the leader alone, and may run further controllers there", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const told: string[] = [];
  const late = defineController(Secret, { name: "late", reconcile: ({ metadata }) => void told.push(`late ${metadata.name}`) });
  const part = (replica: string): OperatorRunnable => ({
    name: "more controllers",
    needsLeader: true,
    async run(signal, services) {
      told.push(`${replica} begins`);
      await runController(late, services).run(signal);
      told.push(`${replica} ends`);
    },
  });
  const start = (replica: string): ReturnType<OperatorRig["start"]> =>
    rig.start({ name: "own", controllers: [], runnables: [part(replica)] }, { argv: ["--leader-elect"] });
  const first = start("first");
  await clock.advance(1000);
  const second = start("second");
  await clock.advance(10_000);
  await rig.client.create(Secret, { metadata: { name: "s", namespace: "default" } });
  await clock.advance(1000);
  assert.deepEqual(told, ["first begins", "late s"]);
  first.signal();
  await clock.advance(5000);
  assert.deepEqual([told, first.exits], [["first begins", "late s", "first ends", "second begins", "late s"], [0]]);
  second.signal();
  await clock.advance(5000);
  assert.deepEqual(second.exits, [0]);
});

test("[OP10] one that fails ends the program with its error", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const runnables = [{ name: "broken", run: () => Promise.reject(new Error("no coffee")) }];
  const started = rig.start({ name: "own", controllers: [], runnables });
  await clock.advance(1000);
  assert.deepEqual(started.exits, [1]);
  assert.match(started.err(), /^own: Error: no coffee$/m);
});
