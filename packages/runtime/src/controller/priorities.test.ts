import assert from "node:assert/strict";
import { test } from "node:test";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { recheckAfter, requeue, requeueAfter } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import type { Source } from "../declare/source.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[QUE12] the priority of a key is that of the kind, the source or the call that asks for it", async () => {
  await using world = await barWorld();
  const asked = Promise.withResolvers<void>();
  const source: Source<Bar> = {
    name: "outside",
    async run({ enqueue }) {
      await asked.promise;
      enqueue("default/source", { priority: 1 });
    },
  };
  const hold = Promise.withResolvers<void>();
  const seen: string[] = [];
  const { running } = world.start(
    defineController(Bar, {
      sources: [source],
      watches: [watch(Part, { toKeys: () => ["default/part"], priority: -1 })],
      async reconcile({ metadata }) {
        seen.push(metadata.name);
        if (metadata.name === "first") await hold.promise;
      },
    }),
  );
  for (const name of ["part", "call", "source", "first"]) await world.client.create(Bar, barDraft(name));
  await world.settle();
  seen.length = 0;
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.settle();
  running.enqueue("default/call");
  asked.resolve();
  await world.settle();
  assert.deepEqual(
    [...running.load.queuedBy].filter(([, size]) => size > 0),
    [
      [1, 1],
      [0, 1],
      [-1, 1],
    ],
  );
  hold.resolve();
  await world.settle();
  assert.deepEqual(seen, ["source", "call", "part"]);
});

test("[QUE12] so is that of a result; without one a requeue keeps the priority that the key had", async () => {
  await using world = await barWorld();
  let result: Result;
  let gate = Promise.withResolvers<void>();
  const { running } = world.start(
    defineController(Bar, {
      reconcile: ({ metadata }) => (metadata.name === "gate" ? gate.promise : result),
    }),
  );
  for (const name of ["a", "gate"]) await world.client.create(Bar, barDraft(name));
  gate.resolve();
  await world.settle();
  /** With which priority the object waits after a result of its reconcile, while the only worker is busy. */
  const waitsWith = async (next: Result): Promise<number | undefined> => {
    gate = Promise.withResolvers();
    result = next;
    running.enqueue("default/a", { priority: 5 });
    running.enqueue("default/gate");
    await world.pass(60_000);
    const [priority] = [...running.load.queuedBy].find(([, size]) => size > 0) ?? [];
    result = undefined;
    gate.resolve();
    await world.settle();
    return priority;
  };
  assert.equal(await waitsWith(requeue()), 5);
  assert.equal(await waitsWith(requeue({ priority: 2 })), 2);
  assert.equal(await waitsWith(recheckAfter("1m", { priority: -3 })), -3);
  assert.equal(await waitsWith(requeueAfter("1m")), 0);
});
