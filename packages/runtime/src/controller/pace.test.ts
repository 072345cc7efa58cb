import assert from "node:assert/strict";
import { test } from "node:test";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN27] an object of a controller with a pace is left alone for so long after each reconcile, and what changed meanwhile is seen by one", async () => {
  await using world = await barWorld();
  const seen: number[] = [];
  world.start(
    defineController(Bar, {
      pace: "2s",
      watches: [watch(Part)],
      reconcile: (_bar, { cache }) => void seen.push([...cache.list(Part)].length),
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (const name of ["p", "q", "r"]) {
    await world.client.create(Part, { metadata: { name, namespace: "default" }, spec: {} });
    await world.pass(500);
  }
  assert.deepEqual(seen, [0]);
  await world.pass(500);
  assert.deepEqual(seen, [0, 3]);
  await world.pass(60_000);
  await world.client.delete(Part, "default/p");
  await world.settle();
  assert.deepEqual(seen, [0, 3, 2]);
});

test("[RUN27] who has asked to wait is not asked before, whatever changes", async () => {
  await using world = await barWorld();
  const sizes: number[] = [];
  world.start(
    defineController(Bar, {
      reconcile({ spec }) {
        sizes.push(spec.size);
        return spec.size === 1 ? requeueAfter("30s", { notBefore: true }) : undefined;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(29_999);
  assert.deepEqual(sizes, [1]);
  await world.pass(1);
  assert.deepEqual(sizes, [1, 2]);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 3 } });
  await world.settle();
  assert.deepEqual(sizes, [1, 2, 3]);
});
