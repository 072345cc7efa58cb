import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplyConfiguration } from "@kaji/client";
import { formatApiVersion } from "@kaji/core";
import { metadataOf } from "@kaji/informer";
import { anyKind } from "../declare/any-kind.ts";
import { watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

type PartSpec = NonNullable<ApplyConfiguration<Part>["spec"]>;

const patched = `PATCH /apis/${formatApiVersion(Part)}/namespaces/other/parts/p`;

/** Keeps a Part in another namespace, which cannot be a child, and takes down whether it was as it should be. */
function keeping(wanted: () => PartSpec, seen: boolean[]): Controller {
  return defineController(Bar, {
    watches: [watch(anyKind, { labelSelector: "kept", verbs: ["create", "patch"] })],
    async reconcile(_bar, { cache, client, isApplied }) {
      const Kind = await cache.resourceOf({ apiVersion: formatApiVersion(Part), kind: Part.kind });
      assert.ok(Kind !== undefined);
      const part = { metadata: { namespace: "other", name: "p", labels: { kept: "yes" } }, spec: wanted() };
      seen.push(isApplied(Kind, part));
      if (seen.at(-1) === false) await client.apply(Kind, part, { force: true });
    },
  });
}

test("[APP17] an object that is no child is known to be as it was applied, whatever else it has, and after a restart too", async () => {
  await using world = await barWorld();
  const seen: boolean[] = [];
  let size = 1;
  const controller = keeping(() => ({ size }), seen);
  const program = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([seen.splice(0), world.takeWrites()], [[false], [patched]]);
  await world.client.mergePatch(Part, "other/p", { spec: { color: "blue" } });
  await world.settle();
  await program.stop();
  world.start(controller);
  await world.settle();
  assert.deepEqual([seen.splice(0), world.takeWrites()], [[true, true], []]);
  size = 2;
  await world.client.mergePatch(Bar, "default/a", { spec: { size } });
  await world.settle();
  assert.deepEqual([seen.splice(0), world.takeWrites()], [[false], [patched]]);
});

test("[APP17] what others change in it, and that it is gone, is told and leads to whoever asked", async () => {
  await using world = await barWorld();
  const seen: boolean[] = [];
  world.start(keeping(() => ({ size: 1 }), seen));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Part, "other/p", { spec: { size: 9 } });
  await world.settle();
  assert.equal((await world.find(Part, "other/p"))?.spec.size, 1);
  await world.client.delete(Part, "other/p");
  await world.settle();
  assert.equal((await world.find(Part, "other/p"))?.spec.size, 1);
  assert.deepEqual(seen, [false, false, false]);
});

test("[APP17] [APP10] what the server stores in another form is applied once in the life of a program", async () => {
  await using world = await barWorld();
  const seen: boolean[] = [];
  const { running } = world.start(keeping(() => ({ holes: [{ width: 2 }] }), seen));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(seen, [false, true]);
});

test("[APP17] without a record of who applied what nothing can be told, and what to declare is", async () => {
  await using world = await barWorld();
  let thrown: unknown;
  world.start(
    defineController(Bar, {
      watches: [Part],
      reconcile(_bar, { isApplied }) {
        try {
          isApplied(Part, { metadata: { name: "p", namespace: "other" } });
        } catch (error) {
          thrown = error;
        }
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(String(thrown), /^UndeclaredError: .*: write watch\(Part, \{ applied: true \}\) in its watches$/);
  assert.throws(() => watch(metadataOf(Part), { applied: true }), /only whole objects can be applied/);
});
