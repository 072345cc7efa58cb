import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataOf, without } from "@kaji/informer";
import { owned, watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN22] of a kind that is watched as metadata nothing else is kept, and its changes lead to keys", async () => {
  await using world = await barWorld();
  const seen: unknown[] = [];
  const parts = metadataOf(Part);
  world.start(
    defineController(Bar, {
      watches: [watch(parts, { toKeys: ({ metadata }) => [`default/${metadata.labels?.["bar"] ?? "none"}`] })],
      reconcile: (_bar, { cache }) => void seen.push(cache.get(parts, "default/p")),
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.create(Part, { metadata: { name: "p", namespace: "default", labels: { bar: "a" } }, spec: { size: 3 } });
  await world.settle();
  const [before, after] = seen;
  assert.equal(before, undefined);
  assert.ok(typeof after === "object" && after !== null && "metadata" in after);
  assert.deepEqual(Object.keys(after).toSorted(), ["apiVersion", "kind", "metadata"]);
});

test("[RUN22] own children of which only metadata are kept lead to their owner, can be created and deleted, and are never pruned", async () => {
  await using world = await barWorld();
  const parts = metadataOf(Part);
  const { running } = world.start(
    defineController(Bar, {
      owns: [owned(parts)],
      async reconcile({ metadata: { name, uid = "" }, spec }, { cache, client }) {
        const owner = { apiVersion: "samplecontroller.example.com/v1alpha1", kind: "Bar", name, uid, controller: true } as const;
        const [child] = cache.owned(parts);
        if (spec.size > 0 && child === undefined)
          await client.create(Part, { metadata: { name: spec.partName, namespace: "default", ownerReferences: [owner] }, spec: {} });
        if (spec.size === 0 && child !== undefined) await client.delete(Part, child);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a", { partName: "p" }));
  await world.settle();
  await world.client.delete(Part, "default/p");
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["POST parts", "POST parts"]);
  running.enqueue("default/a");
  await world.settle();
  assert.notEqual(await world.find(Part, "default/p"), undefined);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 0 } });
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["DELETE parts/p"]);
});

test("[RUN22] what a view leaves out is not in what is read, and reading the whole kind is refused", async () => {
  await using world = await barWorld();
  const bare = without(Part, "spec");
  const seen: unknown[] = [];
  world.start(
    defineController(Bar, {
      watches: [bare],
      reconcile(_bar, { cache }) {
        seen.push(...cache.list(bare).map((part) => Object.keys(part).toSorted()));
        // @ts-expect-error it does not compile either
        cache.list(Part);
      },
    }),
  );
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen, [["apiVersion", "kind", "metadata"]]);
  const { message } = (world.log.lines.find(({ level }) => level === "error")?.fields["err"] ?? assert.fail()) as Error;
  assert.match(message, /controller bar does not declare watch of .*Kind=Part: add watch\(Part\) to its watches/);
});
