import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApiVersion } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { anyKind } from "../declare/any-kind.ts";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";
import { markOf } from "./owner-mark.ts";

const Rack = defineResource({
  group: "late.example.com",
  version: "v1",
  kind: "Rack",
  scope: "Cluster",
  spec: z.object({ size: z.int32().default(1) }),
});

const label = "samplecontroller.example.com/bar-owner";
const recorded = "samplecontroller.example.com/bar-children";

async function rackWorld(): Promise<TestWorld> {
  const world = await barWorld();
  await world.define(Rack);
  return world;
}

function lastError({ log }: TestWorld): string {
  return String(log.lines.findLast(({ fields }) => fields["err"] !== undefined)?.fields["err"]);
}

/** Has the Parts that the test names, by namespace and name, and a Rack if it says so. */
function keeping(wanted: { parts: readonly string[]; rack: boolean }): Controller {
  return defineController(Bar, {
    owns: [Part, Rack],
    async reconcile({ metadata, spec }, { apply }) {
      for (const part of wanted.parts) {
        const [namespace = "", name = ""] = part.split("/");
        await apply(Part, { metadata: { namespace, name }, spec: { size: spec.size } });
      }
      if (wanted.rack) await apply(Rack, { metadata: { name: metadata.name }, spec: { size: spec.size } });
    },
    finalize() {},
  });
}

/** Wants one Rack for all Bars, which only one of them can have. */
function keepingShared(): Controller {
  return defineController(Bar, {
    owns: [Rack],
    async reconcile({ spec }, { apply }) {
      await apply(Rack, { metadata: { name: "shared" }, spec: { size: spec.size } });
    },
    finalize() {},
  });
}

test("[ELS1] what can have no owner reference has a label that names its owner, and nothing is sent where nothing is to do, after a restart neither", async () => {
  await using world = await rackWorld();
  const controller = keeping({ parts: ["other/p", "default/q"], rack: true });
  const program = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  for (const object of [await world.find(Part, "other/p"), await world.find(Rack, "a")]) {
    assert.deepEqual(object?.metadata.labels, { [label]: "default.a" });
    assert.equal(object.metadata.ownerReferences, undefined);
  }
  const child = await world.find(Part, "default/q");
  assert.equal(child?.metadata.ownerReferences?.[0]?.name, "a");
  assert.equal(child.metadata.labels, undefined);
  world.takeWrites();
  await program.stop();
  world.start(controller);
  await world.settle();
  assert.deepEqual(world.takeWrites(), []);
});

test("[ELS2] it is changed back, and made again when it is gone", async () => {
  await using world = await rackWorld();
  world.start(keeping({ parts: ["other/p"], rack: true }));
  const name = "a".repeat(80);
  await world.client.create(Bar, barDraft(name));
  await world.settle();
  await world.client.mergePatch(Rack, name, { spec: { size: 9 } });
  await world.client.delete(Part, "other/p");
  await world.settle();
  assert.equal((await world.find(Rack, name))?.spec.size, 1);
  assert.notEqual(await world.find(Part, "other/p"), undefined);
});

test("[ELS3] it is deleted when it is applied no longer, also after a restart, and is then recorded no longer", async () => {
  await using world = await rackWorld();
  const wanted = { parts: ["other/p", "other/q"], rack: true };
  const first = world.start(keeping(wanted));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  wanted.parts = ["other/q"];
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(await world.find(Part, "other/p"), undefined);
  assert.equal((await world.find(Part, "other/q"))?.spec.size, 2);
  await first.stop();
  world.start(keeping({ parts: [], rack: false }));
  await world.settle();
  assert.equal(await world.find(Part, "other/q"), undefined);
  assert.equal(await world.find(Rack, "a"), undefined);
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.annotations ?? {}, {});
});

test("[ELS3] after a reconcile that is not finished nothing is deleted, nor is what others made with the same label", async () => {
  await using world = await rackWorld();
  let isDone = true;
  let names = ["p", "q"];
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply }) {
        for (const name of names) await apply(Part, { metadata: { namespace: "other", name }, spec: {} });
        return isDone ? undefined : requeueAfter("1h");
      },
      finalize() {},
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, { metadata: { namespace: "other", name: "copy", labels: { [label]: "default.a" } }, spec: {} });
  await world.settle();
  [isDone, names] = [false, ["p"]];
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  for (const name of ["p", "q", "copy"]) assert.notEqual(await world.find(Part, `other/${name}`), undefined, name);
});

test("[ELS4] it goes with its owner, after finalize, though the cache does not show it", async () => {
  await using world = await rackWorld();
  let found = 0;
  world.start(
    defineController(Bar, {
      owns: [Part, Rack],
      async reconcile({ metadata }, { apply }) {
        await apply(Part, { metadata: { namespace: "other", name: metadata.name }, spec: {} });
        await apply(Rack, { metadata: { name: metadata.name }, spec: {} });
      },
      finalize(_bar, { cache }) {
        found = [...cache.owned(Part), ...cache.owned(Rack)].length;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  // Another program has made it, and this one has not heard of it.
  world.intercept = ({ path }) => {
    if (path.includes("/parts") && path.includes("watch=true")) throw new Error("the server is away");
  };
  world.breakWatches();
  await world.settle();
  const labels = { [label]: "default.a" };
  await world.client.apply(Part, { metadata: { namespace: "more", name: "late", labels }, spec: {} }, { fieldManager: "bar" });
  await world.client.create(Part, { metadata: { namespace: "more", name: "copy", labels }, spec: {} });
  await world.client.delete(Bar, "default/a");
  await world.pass(30_000);
  assert.equal(await world.find(Bar, "default/a"), undefined);
  assert.equal(found, 2);
  for (const key of ["other/a", "more/late"]) assert.equal(await world.find(Part, key), undefined, key);
  assert.equal(await world.find(Rack, "a"), undefined);
  for (const key of ["other/b", "more/copy"]) assert.notEqual(await world.find(Part, key), undefined, key);
  assert.notEqual(await world.find(Rack, "b"), undefined);
});

test("[ELS5] its kind is recorded before the first of it is made: what a crash leaves behind is found, be the kind known only at run time", async () => {
  await using world = await rackWorld();
  const rack: DynamicObject = { apiVersion: formatApiVersion(Rack), kind: "Rack", metadata: { name: "r" }, spec: {} };
  let wanted = [rack];
  const applying = defineController(Bar, {
    owns: [anyKind],
    async reconcile(_bar, { apply, live }) {
      for (const object of wanted) {
        const kind = await live.resourceOf(object);
        assert.ok(kind !== undefined);
        await apply(kind, object);
      }
    },
    finalize() {},
  });
  world.intercept = ({ method, path }) => (method === "PATCH" && path.includes("/racks/") ? "LoseAnswer" : undefined);
  const first = world.start(applying);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await first.stop();
  world.intercept = () => undefined;
  assert.equal(
    (await world.find(Bar, "default/a"))?.metadata.annotations?.[recorded],
    `[{"apiVersion":"late.example.com/v1","kind":"Rack"}]`,
  );
  assert.notEqual(await world.find(Rack, "r"), undefined);
  wanted = [];
  world.start(applying);
  await world.settle();
  assert.equal(await world.find(Rack, "r"), undefined);
});

test("[ELS5] an owner is not let go while it may have objects of a kind that is owned no longer", async () => {
  await using world = await rackWorld();
  const first = world.start(keeping({ parts: [], rack: true }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await first.stop();
  world.start(defineController(Bar, { owns: [Part], reconcile() {}, finalize() {} }));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.notEqual(await world.find(Bar, "default/a"), undefined);
  assert.match(lastError(world), /may have objects of late\.example\.com\/v1 Rack elsewhere, which controller bar owns no longer/);
});

test("[ELS6] a name that is taken, be it by what another owner has, is left alone, until it is free", async () => {
  await using world = await rackWorld();
  world.start(keepingShared());
  await world.client.create(Bar, barDraft("a", { size: 1 }));
  await world.settle();
  await world.client.create(Bar, barDraft("b", { size: 2 }));
  await world.settle();
  assert.match(lastError(world), /Rack.*shared is not controlled by Bar b but by default\.a: it is left alone/);
  assert.equal((await world.find(Rack, "shared"))?.spec.size, 1);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.equal((await world.find(Rack, "shared"))?.spec.size, 2);
});

test("[ELS6] so it is where the owner is looked after by another instance of the operator", async () => {
  await using world = await rackWorld();
  const controller = keepingShared();
  for (const namespace of ["default", "other"]) world.start(controller, { namespaces: [namespace] });
  await world.client.create(Bar, barDraft("a", { size: 1 }));
  await world.settle();
  await world.client.create(Bar, { ...barDraft("b", { size: 2 }), metadata: { name: "b", namespace: "other" } });
  await world.settle();
  assert.match(lastError(world), /Rack.*shared is not controlled by Bar b but by default\.a: it is left alone/);
  assert.equal((await world.find(Rack, "shared"))?.spec.size, 1);
});

test("[ELS6] what somebody has taken from its owner, by its label, and given to nobody, is taken back", async () => {
  await using world = await rackWorld();
  world.start(keeping({ parts: ["other/p"], rack: true }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Rack, "a", { metadata: { labels: { [label]: "default.nobody" } } });
  await world.client.mergePatch(Part, "other/p", { metadata: { labels: { [label]: null } } });
  await world.settle();
  for (const object of [await world.find(Part, "other/p"), await world.find(Rack, "a")])
    assert.deepEqual(object?.metadata.labels, { [label]: "default.a" });
});

test("[ELS7] a controller without a finalize is told that it needs one", async () => {
  await using world = await rackWorld();
  world.start(
    defineController(Bar, {
      owns: [Rack],
      async reconcile({ metadata }, { apply }) {
        await apply(Rack, { metadata: { name: metadata.name }, spec: {} });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(
    lastError(world),
    /Bar default\/a cannot own .*Rack a, which is not in a namespace: a controller that has a finalize, be it an empty one, deletes such objects itself/,
  );
});

test("[ELS8] where the declaration names namespaces, no others are asked for", async () => {
  await using world = await rackWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { namespaces: ["other"] })],
      async reconcile(_bar, { apply }) {
        await apply(Part, { metadata: { namespace: "other", name: "p" }, spec: {} });
      },
      finalize() {},
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const lists: string[] = [];
  world.intercept = ({ method, path }) => void (method === "GET" && path.includes("labelSelector") && lists.push(path));
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.equal(await world.find(Part, "other/p"), undefined);
  assert.deepEqual(
    lists.map((path) => path.split("?")[0]),
    [`/apis/${formatApiVersion(Part)}/namespaces/other/parts`],
  );
});

test("[APP17] isApplied tells of what is its own whether apply would change it, and keeps it", async () => {
  await using world = await rackWorld();
  const seen: boolean[] = [];
  let isHealing = true;
  world.start(
    defineController(Bar, {
      owns: [Part, Rack],
      async reconcile({ metadata: { name } }, { apply, isApplied }) {
        const [part, rack] = [
          { metadata: { name }, spec: {} },
          { metadata: { name }, spec: { size: 3 } },
        ];
        seen.push(isApplied(Part, part), isApplied(Rack, rack));
        if (!isHealing) return;
        await apply(Part, part);
        await apply(Rack, rack);
      },
      finalize() {},
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  isHealing = false;
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  await world.client.mergePatch(Rack, "a", { spec: { size: 9 } });
  await world.settle();
  assert.deepEqual(seen, [false, false, true, true, true, false]);
  assert.equal((await world.find(Rack, "a"))?.spec.size, 9);
  assert.notEqual(await world.find(Part, "default/a"), undefined);
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.equal(await world.find(Rack, "a"), undefined);
});

test("a mark is as long as a label may be, and another one for each owner", () => {
  assert.equal(markOf({ namespace: "n".repeat(31), name: "a".repeat(31) }).length, 63);
  const [one, other] = ["a", "b"].map((end) => markOf({ namespace: "n", name: `${"a".repeat(80)}${end}` }));
  assert.equal(one?.length, 63);
  assert.notEqual(one, other);
});
