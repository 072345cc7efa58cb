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

test("[RUN27] an owner that sums up many children is reconciled once in each pace, however many of them change, and sees the last change", async () => {
  await using world = await barWorld();
  const sums: number[] = [];
  const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
  world.start(
    defineController(Bar, {
      pace: "5s",
      owns: [Part],
      async reconcile(_bar, { apply, cache, setStatus }) {
        for (const name of names) await apply(Part, { metadata: { name }, spec: {} });
        const size = cache
          .owned(Part)
          .filter(({ metadata }) => metadata.labels?.["ready"] === "yes")
          .toArray().length;
        sums.push(size);
        await setStatus({ size });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(5000);
  for (const name of names) {
    await world.client.mergePatch(Part, `default/${name}`, { metadata: { labels: { ready: "yes" } } });
    await world.pass(100);
  }
  await world.pass(5000);
  assert.deepEqual(sums, [0, 1, 50]);
  assert.equal((await world.client.get(Bar, "default/a")).status?.size, 50);
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
