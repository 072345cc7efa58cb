import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplyConfiguration } from "@kaji/client";
import { setControllerReference } from "@kaji/core";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { recheckAfter, requeue, requeueAfter, terminal } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import { Bar, Part, barController, barDraft, barWorld } from "../testing/bar.ts";
import { ChildConflictError } from "./child-conflict-error.ts";

type PartSpec = NonNullable<ApplyConfiguration<Part>["spec"]>;

/** A controller that applies whatever is wanted at the moment. */
function applying(wanted: () => Readonly<Record<string, PartSpec>>, result: () => Result = () => undefined): Controller {
  return defineController(Bar, {
    owns: [Part],
    async reconcile(_bar, { apply }) {
      for (const [name, spec] of Object.entries(wanted())) await apply(Part, { metadata: { name, labels: { made: "by-bar" } }, spec });
      return result();
    },
  });
}

// What is undefined, such as a field of another object that is copied, is not stated.
const screws = [{ name: "left", head: "flat" }, { name: "right" }];
const rich: PartSpec = { size: 1, screws, tags: ["x", "y"], shape: "round", color: undefined };

test("[APP1] a child has the object as its controller and the controller as the manager of its fields", async () => {
  await using world = await barWorld();
  world.start(barController);
  const { metadata } = await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const part = await world.find(Part, "default/a-part");
  const [owner] = part?.metadata.ownerReferences ?? [];
  assert.deepEqual([owner?.uid, owner?.controller, owner?.blockOwnerDeletion], [metadata.uid, true, true]);
  const [entry] = part?.metadata.managedFields ?? [];
  assert.deepEqual([entry?.manager, entry?.operation], ["bar", "Apply"]);
});

test("[APP2] nothing is sent when what we own matches, whatever the server added, and no more so after a restart", async () => {
  await using world = await barWorld();
  const controller = applying(() => ({ p: rich }));
  const program = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PATCH parts/p"]);
  const part = await world.find(Part, "default/p");
  assert.deepEqual([part?.spec.color, part?.spec.screws?.[0]?.length], ["red", 10]);
  await world.client.mergePatch(Part, "default/p", { spec: { color: "blue" }, metadata: { labels: { other: "one" } } });
  program.running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(world.takeWrites(), []);
  await program.stop();
  world.start(controller);
  await world.pass(10_000);
  assert.deepEqual(world.takeWrites(), []);
});

test("[APP3] a change of mind is sent, also about what is no longer wanted, also when it came with a restart", async () => {
  await using world = await barWorld();
  let spec: PartSpec = rich;
  const controller = applying(() => ({ p: spec }));
  const first = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  spec = { ...rich, tags: ["x"] };
  first.running.enqueue("default/a");
  await world.settle();
  assert.deepEqual((await world.find(Part, "default/p"))?.spec.tags, ["x"]);
  await first.stop();
  // Without shape, and without one of the screws.
  spec = { size: 1, screws: [{ name: "left", head: "flat" }], tags: ["x"] };
  const second = world.start(controller);
  await world.settle();
  const part = await world.find(Part, "default/p");
  assert.deepEqual([part?.spec.shape, part?.spec.screws?.length, part?.spec.size], [undefined, 1, 1]);
  await second.stop();
  spec = { size: 1, screws: [{ name: "left" }], tags: ["x"] };
  world.start(controller);
  await world.settle();
  assert.equal((await world.find(Part, "default/p"))?.spec.screws?.[0]?.head, undefined);
});

test("[APP4] a field that we applied and another client changed is changed back", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a", { size: 3 }));
  await world.settle();
  await world.client.mergePatch(Part, "default/a-part", { spec: { size: 9 } });
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 3);
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 3);
});

test("[APP5] a child whose name is taken by an object of another owner is refused, by name, and that object is not changed", async () => {
  await using world = await barWorld();
  const before = await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: { color: "blue" } });
  let refused: unknown;
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(bar, { apply }) {
        refused = await apply(Part, { metadata: { name: bar.spec.partName }, spec: { size: 1 } }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.ok(refused instanceof ChildConflictError);
  assert.match(refused.message, /Part.* default\/a-part is not controlled by Bar a and has no controller: it is left alone/);
  assert.deepEqual(await world.find(Part, "default/a-part"), before);
  assert.deepEqual(world.takeWrites(), []);
});

test("[APP5] so it is when the cache does not show it", async () => {
  await using world = await barWorld();
  let refused: unknown;
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { labelSelector: "made=by-bar" })],
      async reconcile(bar, { apply }) {
        const wanted = { metadata: { name: bar.spec.partName, labels: { made: "by-bar" } }, spec: { size: 1 } };
        refused = await apply(Part, wanted).catch((error: unknown) => error);
      },
    }),
  );
  const before = await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: {} });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.ok(refused instanceof ChildConflictError);
  assert.deepEqual(await world.find(Part, "default/a-part"), before);
});

test("[APP5] and its owner is reconciled when the object that has the name changes or is deleted", async () => {
  await using world = await barWorld();
  await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: { color: "blue" } });
  const { running } = world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(bar, { apply }) {
        const wanted = { metadata: { name: bar.spec.partName }, spec: { size: 1 } };
        await apply(Part, wanted).catch((error: unknown) => {
          throw terminal(error);
        });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.equal(running.load.delayed, 0);
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.color, "red");
});

test("[APP5] a child of an object that had the name of its owner before waits for the garbage collector, and the message says so", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  const failures = world.log.lines.filter(({ level }) => level === "error").map(({ fields }) => String(Object(fields).err));
  assert.match(
    failures.at(-1) ?? "",
    /default\/a-part is not controlled by Bar a but by an earlier Bar a: it is left alone until the garbage collector has deleted it$/,
  );
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  const [bar, part] = [await world.find(Bar, "default/a"), await world.find(Part, "default/a-part")];
  assert.equal(part?.metadata.ownerReferences?.[0]?.uid, bar?.metadata.uid);
});

test("[RUN26] an owner that is gone waits no longer for the name of another object", async () => {
  await using world = await barWorld();
  await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: { color: "blue" } });
  let added = 0;
  const observer = { keyAdded: () => void added++, keyTaken() {}, keyDone() {}, keyRetried() {}, reconciled() {}, panicked() {} };
  const controller = defineController(Bar, {
    owns: [Part],
    // The deletion itself does not count.
    predicates: [({ object }) => object !== undefined],
    async reconcile(bar, { apply }) {
      await apply(Part, { metadata: { name: bar.spec.partName }, spec: { size: 1 } }).catch((error: unknown) => {
        throw terminal(error);
      });
    },
  });
  world.start(controller, { observer });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  added = 0;
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  assert.equal(added, 0);
});

test("[APP6] children that are applied no longer are deleted after the reconcile, also after a restart; those that were not applied are not", async () => {
  await using world = await barWorld();
  let wanted: Record<string, PartSpec> = { p: { size: 1 }, q: { size: 2 } };
  const first = world.start(applying(() => wanted));
  const bar = await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const { apiVersion, kind, metadata } = bar;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true }];
  await world.client.create(Part, { metadata: { name: "by-hand", namespace: "default", ownerReferences }, spec: {} });
  wanted = { q: { size: 2 } };
  first.running.enqueue("default/a");
  await world.settle();
  const names = async (): Promise<string[]> => (await world.client.list(Part)).items.map((part) => part.metadata.name).toSorted();
  assert.deepEqual(await names(), ["by-hand", "q"]);
  await first.stop();
  wanted = { r: { size: 3 } };
  world.start(applying(() => wanted));
  await world.settle();
  assert.deepEqual(await names(), ["by-hand", "r"]);
});

test("[APP7] nothing is deleted after a reconcile that failed or is not finished; only one that is done prunes", async () => {
  await using world = await barWorld();
  let wanted: Record<string, PartSpec> = { p: { size: 1 } };
  let result: () => Result = () => undefined;
  const { running } = world.start(
    applying(
      () => wanted,
      () => result(),
    ),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  wanted = {};
  for (const unfinished of [
    requeue,
    (): Result => requeueAfter("30s"),
    (): Result => {
      throw new Error("no");
    },
  ]) {
    result = unfinished;
    running.enqueue("default/a");
    await world.settle();
    assert.ok(await world.find(Part, "default/p"));
  }
  for (const done of [(): Result => undefined, (): Result => recheckAfter("5m")]) {
    [wanted, result] = [{ p: { size: 1 } }, done];
    running.enqueue("default/a");
    await world.settle();
    assert.ok(await world.find(Part, "default/p"));
    wanted = {};
    running.enqueue("default/a");
    await world.settle();
    assert.equal(await world.find(Part, "default/p"), undefined);
  }
});

test("[APP8] a terminating child is not updated, and created again when it is gone", async () => {
  await using world = await barWorld();
  const { running } = world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: ["example.com/wait"] } });
  await world.client.delete(Part, "default/a-part");
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 4 } });
  await world.pass(1000);
  assert.deepEqual(running.load.delayed, 0);
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 1);
  await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: null } });
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 4);
});

test("[APP9] a child that was replaced by another meanwhile is not taken for the one that was looked at", async () => {
  await using world = await barWorld();
  const { running } = world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  let isFirst = true;
  world.intercept = async ({ method, path }) => {
    if (method !== "PATCH" || !path.includes("/parts/") || !isFirst) return;
    isFirst = false;
    await world.client.delete(Part, "default/a-part");
    await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: { color: "theirs" } });
  };
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(100);
  const part = await world.find(Part, "default/a-part");
  assert.deepEqual([part?.spec.color, part?.spec.size, isFirst], ["theirs", undefined, false]);
  assert.match(String(world.log.lines.at(-1)?.fields["err"]), /not controlled by Bar a/);
  assert.equal(running.load.delayed, 1);
});

test("[APP10] what the server changes in a list that it replaces as a whole is applied once in the life of a program", async () => {
  await using world = await barWorld();
  const controller = applying(() => ({ p: { holes: [{ width: 2 }] } }));
  const { running } = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PATCH parts/p"]);
  for (let times = 0; times < 3; times++) {
    running.enqueue("default/a");
    await world.settle();
  }
  assert.deepEqual(world.takeWrites(), []);
});

test("[APP11] a delete is of the object that was looked at, and one that is gone is no failure", async () => {
  await using world = await barWorld();
  let answer: unknown = "nothing";
  let looked: Part | undefined;
  const { running } = world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(bar, { client }) {
        if (looked !== undefined) answer = await client.delete(Part, looked).catch((error: unknown) => error);
        assert.equal(bar.metadata.name, "a");
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  looked = await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  await world.client.delete(Part, "default/p");
  running.enqueue("default/a");
  await world.settle();
  assert.equal(answer, undefined);
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: {} });
  running.enqueue("default/a");
  await world.settle();
  assert.match(String(answer), /Precondition failed|precondition/);
  assert.ok(await world.find(Part, "default/p"));
});

test("[APP12] what was written is read from the cache at once", async () => {
  await using world = await barWorld();
  const seen: unknown[] = [];
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply, cache, client }) {
        // What it deletes asks for the Bar once more.
        if (seen.length > 0) return;
        await apply(Part, { metadata: { name: "p" }, spec: { size: 1 } });
        const part = cache.get(Part, "default/p");
        seen.push(part?.spec.size, cache.owned(Part).toArray().length);
        await client.mergePatch(Part, "default/p", { spec: { color: "green" } });
        seen.push(cache.get(Part, "default/p")?.spec.color);
        if (part !== undefined) await client.delete(Part, part);
        seen.push(cache.get(Part, "default/p"), cache.owned(Part).toArray().length);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen, [1, 1, "green", undefined, 0]);
});

test("[APP13] of a kind with applied: false no child is applied or pruned, and no record of fields is kept", async () => {
  await using world = await barWorld();
  let refused: unknown;
  let kept: unknown;
  const { running } = world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile(bar, { apply, client, cache }) {
        const draft = { metadata: { name: "p", namespace: "default" }, spec: {} };
        if (cache.get(Part, "default/p") === undefined) await client.create(Part, setControllerReference(bar, draft));
        kept = cache.get(Part, "default/p")?.metadata.managedFields;
        refused = await apply(Part, { metadata: { name: "q" } }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["POST parts"]);
  assert.match(String(refused), /with applied: false, so that it cannot apply one; create makes one/);
  assert.equal(kept, undefined);
});
