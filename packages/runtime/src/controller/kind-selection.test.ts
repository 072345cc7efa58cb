import assert from "node:assert/strict";
import { test } from "node:test";
import { byNamespace } from "@kaji/informer";
import { owned, use, watch } from "../declare/declarations.ts";
import type { KindSelection } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { every } from "../sources/every.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN18] only the namespaces of the environment are looked at", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(defineController(Bar, { reconcile: (_bar, { key }) => void seen.push(key) }), { namespaces: ["default", "other"] });
  for (const namespace of ["default", "other", "third"])
    await world.client.create(Bar, { ...barDraft("a"), metadata: { name: "a", namespace } });
  await world.settle();
  assert.deepEqual(seen, ["default/a", "other/a"]);
});

test("[RUN18] and so is what a reconcile lists from the server", async () => {
  await using world = await barWorld();
  for (const namespace of ["default", "other", "third"])
    await world.client.create(Bar, { ...barDraft("a"), metadata: { name: "a", namespace } });
  const listed: unknown[] = [];
  const controller = defineController(Bar, {
    namespaces: ["default"],
    uses: [use(Bar, "list")],
    async reconcile(_bar, { live }) {
      for (const { metadata } of (await live.list(Bar)).items) listed.push(metadata.namespace);
    },
  });
  world.start(controller, { namespaces: ["default", "other"] });
  await world.settle();
  assert.deepEqual(listed, ["default", "other"]);
});

test("[RUN18] so are those of a declaration, and just the objects that it selects", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  const controllerOf = (name: string, selection: KindSelection): Controller =>
    defineController(Bar, {
      name,
      ...selection,
      reconcile: ({ metadata }) => void seen.push(`${name} ${metadata.namespace}/${metadata.name}`),
    });
  world.start(controllerOf("field", { fieldSelector: "metadata.name=a" }));
  world.start(controllerOf("label", { labelSelector: { matchLabels: { x: "y" } } }));
  world.start(controllerOf("namespace", { namespaces: ["other"] }));
  for (const namespace of ["default", "other"]) {
    for (const name of ["a", "b"]) {
      const { metadata, spec } = barDraft(name);
      await world.client.create(Bar, { metadata: { ...metadata, namespace, labels: name === "b" ? { x: "y" } : {} }, spec });
    }
  }
  await world.settle();
  assert.deepEqual(seen.toSorted(), [
    "field default/a",
    "field other/a",
    "label default/b",
    "label other/b",
    "namespace other/a",
    "namespace other/b",
  ]);
});

test("[RUN18] also where it mirrors all objects of its kind for another reason", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  const siblings: number[] = [];
  const controller = defineController(Bar, {
    labelSelector: "x=y",
    watches: [Bar],
    sources: [every("1m")],
    reconcile: ({ metadata }, { cache }) => {
      seen.push(metadata.name);
      siblings.push([...cache.list(Bar)].length);
    },
  });
  for (const name of ["a", "b"]) {
    const { metadata, spec } = barDraft(name);
    await world.client.create(Bar, { metadata: { ...metadata, labels: name === "b" ? { x: "y" } : {} }, spec });
  }
  const { running } = world.start(controller);
  await world.pass(60_000);
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(
    [seen, siblings],
    [
      ["b", "b"],
      [2, 2],
    ],
  );
});

test("[RUN18] a read sees all that is mirrored of a kind, whichever declaration mirrors it", async () => {
  await using world = await barWorld();
  const seen: unknown[] = [];
  const controller = defineController(Bar, {
    owns: [owned(Part, { labelSelector: "x=y" })],
    watches: [watch(Part, { namespaces: ["other"] }), watch(Part, { fieldSelector: "metadata.name=c" })],
    reconcile: (_bar, { cache }) => {
      const names = (parts: Iterable<Part>): string[] =>
        Array.from(parts, ({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();
      seen.push(names(cache.list(Part)), names(cache.list(Part, { namespace: "other" })), names(cache.by(Part, byNamespace, "default")));
      seen.push(["default/a", "default/b", "other/b"].map((key) => cache.get(Part, key) !== undefined));
    },
  });
  for (const namespace of ["default", "other"]) {
    for (const name of ["a", "b", "c"])
      await world.client.create(Part, { metadata: { name, namespace, labels: name === "a" ? { x: "y" } : {} }, spec: {} });
  }
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const all = ["default/a", "default/c", "other/a", "other/b", "other/c"];
  assert.deepEqual(seen.slice(0, 4), [all, all.slice(2), all.slice(0, 2), [true, false, true]]);
});

for (const how of ["apply", "create"] as const) {
  test(`[APP8] what ${how} has made is made again though it leaves the mirror before it goes, as by losing its labels`, async () => {
    await using world = await barWorld();
    world.start(
      defineController(Bar, {
        owns: [owned(Part, { labelSelector: "made=by-bar", applied: how === "apply" })],
        async reconcile({ spec }, { apply, create }) {
          await (how === "apply" ? apply : create)(Part, { metadata: { name: spec.partName, labels: { made: "by-bar" } }, spec: {} });
        },
      }),
    );
    await world.client.create(Bar, barDraft("a"));
    await world.settle();
    await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: ["example.com/wait"] } });
    await world.client.delete(Part, "default/a-part");
    await world.client.mergePatch(Part, "default/a-part", { metadata: { labels: null } });
    await world.pass(60_000);
    await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: null } });
    await world.pass(300_000);
    assert.equal((await world.find(Part, "default/a-part"))?.metadata.labels?.["made"], "by-bar");
  });
}
