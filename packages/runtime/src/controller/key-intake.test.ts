import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draft } from "@kaji/core";
import { owned, watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { generationChanged, labelsChanged } from "../declare/predicate.ts";
import { TerminalError } from "../declare/result.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN13] a mapping is asked for the state before and the state after, and predicates decide which changes count", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(
    defineController(Bar, {
      predicates: [generationChanged],
      watches: [watch(Part, { toKeys: ({ spec }) => (spec.shape === undefined ? [] : [`default/${spec.shape}`]) })],
      reconcile: ({ metadata }) => void seen.push(metadata.name),
    }),
  );
  for (const name of ["a", "b"]) await world.client.create(Bar, barDraft(name));
  await world.settle();
  seen.splice(0);
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: { shape: "a" } });
  await world.settle();
  assert.deepEqual(seen.splice(0), ["a"]);
  await world.client.mergePatch(Part, "default/p", { spec: { shape: "b" } });
  await world.settle();
  assert.deepEqual(seen.splice(0), ["a", "b"]);
  await world.client.mergePatch(Bar, "default/a", { metadata: { labels: { x: "y" } } });
  await world.client.mergePatch(Bar, "default/a", { status: { note: "z" } }, { subresource: "status" });
  await world.settle();
  assert.deepEqual(seen.splice(0), []);
  await world.client.delete(Part, "default/p");
  await world.settle();
  assert.deepEqual(seen, ["b"]);
});

test("[RUN13] what another client changes right before an own write counts for predicates and mappings, though the event comes after the answer", async () => {
  await using world = await barWorld();
  const labelled = (name: string, of: string): Draft<Part> => ({ metadata: { name, namespace: "default", labels: { of } }, spec: {} });
  let isOvertaken = false;
  world.intercept = async ({ method }) => {
    if (method !== "PATCH" || isOvertaken) return;
    isOvertaken = true;
    world.breakWatches();
    await world.client.mergePatch(Bar, "default/a", { metadata: { labels: { color: "blue" } } });
    await world.client.mergePatch(Part, "default/p", { metadata: { labels: { of: "b" } } });
  };
  world.start(
    defineController(Bar, {
      predicates: [labelsChanged],
      watches: [watch(Part, { verbs: ["patch"] })],
      async reconcile({ metadata: { name, labels } }, { cache, client, setStatus }) {
        const parts = Array.from(cache.list(Part, { labelSelector: `of=${name}` }), ({ metadata }) => metadata.name);
        for (const part of parts) await client.mergePatch(Part, `default/${part}`, { spec: { shape: name } });
        await setStatus({ note: [labels?.["color"], ...parts].join() });
      },
    }),
  );
  await world.client.create(Part, labelled("p", "a"));
  await world.client.create(Part, labelled("q", "a"));
  await world.settle();
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.equal((await world.find(Bar, "default/a"))?.status?.note, "blue,q");
});

test("[RUN13] a child asks for its controller, or for every owner where that is declared", async () => {
  await using world = await barWorld();
  const bars = await Promise.all(["a", "b"].map((name) => world.client.create(Bar, barDraft(name))));
  for (const everyOwner of [false, true]) {
    const seen: string[] = [];
    const program = world.start(
      defineController(Bar, { owns: [owned(Part, { everyOwner })], reconcile: ({ metadata }) => void seen.push(metadata.name) }),
    );
    await world.settle();
    seen.splice(0);
    const ownerReferences = bars.map(({ apiVersion, kind, metadata }, index) => ({
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid ?? "",
      controller: index === 0,
    }));
    await world.client.create(Part, { metadata: { name: `part-${everyOwner}`, namespace: "default", ownerReferences }, spec: {} });
    await world.settle();
    assert.deepEqual(seen, everyOwner ? ["a", "b"] : ["a"]);
    await program.stop();
  }
});

test("[RUN13] a mapping that throws is reported with controller and kind, and disturbs nothing else", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  const toKeys = (): never => {
    throw new Error("no idea");
  };
  world.start(defineController(Bar, { watches: [watch(Part, { toKeys })], reconcile: () => void reconciles++ }));
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal(reconciles, 1);
  const [line] = world.log.lines;
  assert.equal(line?.message, "watch mapping threw; its keys are not enqueued");
  assert.deepEqual([line?.fields["controller"], line?.fields["object"]], ["bar", "default/p"]);
});

test("[RUN13] a mapping that forgets the namespace is told so, instead of leading nowhere", async () => {
  await using world = await barWorld();
  const toKeys = ({ metadata }: Part): readonly string[] => [metadata.name];
  world.start(defineController(Bar, { watches: [watch(Part, { toKeys })], reconcile: () => undefined }));
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, { metadata: { name: "a", namespace: "default" }, spec: {} });
  await world.settle();
  const [line, ...others] = world.log.lines;
  assert.deepEqual([line?.message, others], ["watch mapping threw; its keys are not enqueued", []]);
  assert.match(
    String(line?.fields["err"]),
    /"a" is no key of Bar, whose objects are in namespaces: objectKey\(metadata\) makes NAMESPACE\/NAME$/,
  );
});

test("[RUN14] a kind can be watched while the controller runs, and no longer", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  const { running } = world.start(defineController(Bar, { reconcile: () => void reconciles++ }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const added = running.watch(watch(Part, { toKeys: () => ["default/a"] }));
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.settle();
  await added.synced;
  assert.deepEqual([reconciles, running.mirrored.length], [2, 2]);
  added[Symbol.dispose]();
  await world.client.mergePatch(Part, "default/p", { spec: { color: "blue" } });
  await world.settle();
  assert.deepEqual([reconciles, running.mirrored.length], [2, 1]);
});

test("[RUN13] a predicate that throws is reported, and the change counts", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  const broken = (): never => {
    throw new Error("no idea");
  };
  world.start(defineController(Bar, { predicates: [broken], reconcile: () => void reconciles++ }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([reconciles, world.log.messages], [1, ["predicate threw; the change is reconciled"]]);
});

test("[RUN26] an object that is gone does not count as failing, even if its deletion is no change that counts", async () => {
  for (const isDeletedBy of ["another client", "its reconcile"]) {
    await using world = await barWorld();
    const { running } = world.start(
      defineController(Bar, {
        predicates: [({ object }) => object !== undefined],
        async reconcile() {
          if (isDeletedBy === "its reconcile") await world.client.delete(Bar, "default/a");
          // Until the event of the deletion has come.
          await new Promise((resolve) => setImmediate(resolve));
          throw new TerminalError("in vain");
        },
      }),
    );
    await world.client.create(Bar, barDraft("a"));
    await world.settle();
    if (isDeletedBy === "another client") {
      assert.equal(running.load.failing, 1);
      await world.client.delete(Bar, "default/a");
      await world.settle();
    }
    assert.equal(running.load.failing, 0, isDeletedBy);
  }
});
