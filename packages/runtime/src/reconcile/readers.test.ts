import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Draft, KubeObject } from "@kaji/core";
import { fieldIndex } from "@kaji/informer";
import fc from "fast-check";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { generationChanged } from "../declare/predicate.ts";
import { terminal } from "../declare/result.ts";
import type { CacheReads } from "../declare/reconcile-context.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";

const byColor = fieldIndex(Part, "spec.color");
const byScrew = fieldIndex(Part, "spec.screws[].name");

/** Every way to read: a Bar reads in the way whose name is its `partName`. */
const ways: Readonly<Record<string, (cache: CacheReads<Part>) => Iterable<KubeObject | undefined>>> = {
  one: (cache) => [cache.get(Part, "default/a")],
  all: (cache) => cache.list(Part),
  namespace: (cache) => cache.list(Part, { namespace: "other" }),
  labels: (cache) => cache.list(Part, { labelSelector: { matchLabels: { x: "1" } } }),
  both: (cache) => cache.list(Part, { namespace: "default", labelSelector: "x!=1" }),
  index: (cache) => cache.by(Part, byColor, "blue"),
  items: (cache) => cache.by(Part, byScrew, "left", { namespace: "other" }),
  narrow: (cache) => cache.by(Part, byColor, "red", { labelSelector: "x" }),
  owned: (cache) => cache.owned(Part),
  nothing: () => [],
};

function seenBy(way: string, cache: CacheReads<Part>): readonly string[] {
  const found = Array.from(ways[way]?.(cache) ?? [], (object) => object?.metadata);
  return found.map((metadata) => `${metadata?.namespace}/${metadata?.name} ${metadata?.resourceVersion}`).toSorted();
}

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
const change = fc.record({
  name: fc.constantFrom("a", "b"),
  namespace: fc.constantFrom("default", "other"),
  to: fc.option(
    fc.record({
      x: fc.constantFrom("1", "2", undefined),
      color: fc.constantFrom("red", "blue"),
      screws: fc.uniqueArray(fc.constantFrom("left", "right")),
      isOwned: fc.boolean(),
    }),
  ),
});

async function make(world: TestWorld, { name, namespace, to }: Change): Promise<void> {
  const { client } = world;
  if (to === null) return void (await client.delete(Part, { namespace, name }).catch(() => undefined));
  const { apiVersion, kind, metadata: owner } = await client.get(Bar, "default/owned");
  const reference = { apiVersion, kind, name: owner.name, uid: owner.uid ?? "", controller: true };
  const metadata = { name, namespace, labels: to.x === undefined ? {} : { x: to.x }, ownerReferences: to.isOwned ? [reference] : [] };
  const spec = { color: to.color, screws: to.screws.map((screw) => ({ name: screw })) };
  await client.apply(Part, { metadata, spec }, { fieldManager: "user", force: true });
}

test("[READ1] [READ2] in whatever way a reconcile has read a kind: it is asked for again when it would read something else now, and only then", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      await using world = await barWorld();
      const last = new Map<string, readonly string[]>();
      const reconciled: string[] = [];
      let look: (way: string) => readonly string[] = () => [];
      const controller = defineController(Bar, {
        watches: [watch(Part, { indexes: [byColor] })],
        reconcile({ metadata, spec }, { cache }) {
          reconciled.push(metadata.name);
          last.set(metadata.name, seenBy(spec.partName, cache));
          if (metadata.name !== "witness") return;
          look = (way) => seenBy(way, cache);
        },
      });
      for (const way of [...Object.keys(ways), "witness"]) await world.client.create(Bar, barDraft(way, { partName: way }));
      world.start(controller);
      await world.settle();
      for (const each of changes) {
        const before = new Map(last);
        reconciled.length = 0;
        await make(world, each);
        await world.settle();
        for (const way of Object.keys(ways).filter((name) => name !== "owned")) {
          const now = look(way);
          assert.deepEqual(last.get(way), now, way);
          assert.equal(reconciled.includes(way), !isDeepStrictEqual(before.get(way), now), way);
        }
        const owned = (await world.client.list(Part)).items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === "owned");
        assert.equal(last.get("owned")?.length, owned.length);
      }
    }),
    { numRuns: 30 },
  );
});

/** Counts the reconciles of a Bar that reads the Part which it names. */
function counting(reconciles: { count: number }, watched: Parameters<typeof watch<Part>>[1] = {}): Controller {
  return defineController(Bar, {
    watches: [watch(Part, watched)],
    reconcile({ spec }, { cache }) {
      reconciles.count++;
      cache.get(Part, `default/${spec.partName}`);
    },
  });
}

const part = (name: string): Draft<Part> => ({ metadata: { name, namespace: "default" }, spec: {} });

test("[READ2] what a reconcile has not read, or no longer reads, does not ask for it", async () => {
  await using world = await barWorld();
  const reconciles = { count: 0 };
  world.start(counting(reconciles));
  await world.client.create(Bar, barDraft("a", { partName: "x" }));
  await world.settle();
  await world.client.create(Part, part("y"));
  await world.settle();
  assert.equal(reconciles.count, 1);
  await world.client.mergePatch(Bar, "default/a", { spec: { partName: "y" } });
  await world.settle();
  await world.client.create(Part, part("x"));
  await world.settle();
  assert.equal(reconciles.count, 2);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  await world.client.delete(Part, "default/y");
  await world.settle();
  assert.equal(reconciles.count, 2);
});

test("[READ2] predicates narrow it, and a mapping takes its place, be it one that leads nowhere", async () => {
  const counts: number[] = [];
  for (const watched of [{}, { predicates: [generationChanged] }, { toKeys: () => [] }]) {
    await using world = await barWorld();
    const reconciles = { count: 0 };
    await world.client.create(Part, part("x"));
    await world.client.create(Bar, barDraft("a", { partName: "x" }));
    world.start(counting(reconciles, watched));
    await world.settle();
    await world.client.mergePatch(Part, "default/x", { metadata: { labels: { a: "b" } } });
    await world.settle();
    await world.client.mergePatch(Part, "default/x", { spec: { size: 2 } });
    await world.settle();
    counts.push(reconciles.count);
  }
  assert.deepEqual(counts, [3, 2, 1]);
});

test("[READ3] a reconcile that failed for want of something goes on when it comes, at once and even if the failure was terminal", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  const controller = defineController(Bar, {
    watches: [Part],
    reconcile({ metadata: { name } }, { cache }) {
      if (cache.get(Part, "default/x") === undefined) throw name === "a" ? new Error("there is no Part x") : terminal("there is no Part x");
      seen.push(name);
    },
  });
  world.start(controller);
  for (const name of ["a", "b"]) await world.client.create(Bar, barDraft(name));
  await world.pass(600_000);
  assert.equal(seen.length, 0);
  await world.client.create(Part, part("x"));
  await world.settle();
  assert.deepEqual(seen.toSorted(), ["a", "b"]);
});

test("[READ4] what a reconcile writes to an object that it has read does not ask for it again, but for the others that have read it", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  const controller = defineController(Bar, {
    watches: [watch(Part, { verbs: ["patch"] })],
    async reconcile({ metadata: { name } }, { cache, client }) {
      seen.push(name);
      if (cache.get(Part, "default/x")?.spec.shape === undefined && name === "b")
        await client.mergePatch(Part, "default/x", { spec: { shape: "round" } });
    },
  });
  await world.client.create(Part, part("x"));
  world.start(controller);
  for (const name of ["a", "b"]) {
    await world.client.create(Bar, barDraft(name));
    await world.settle();
  }
  assert.deepEqual(seen, ["a", "b", "a"]);
});
