import assert from "node:assert/strict";
import { test } from "node:test";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import { ChildConflictError } from "./child-conflict-error.ts";

const colors: (string | undefined)[] = [];

/** Makes one part of the size that is wanted at the moment. */
const creating: Controller = defineController(Bar, {
  owns: [owned(Part, { applied: false })],
  async reconcile({ spec }, { create }) {
    const part = await create(Part, { metadata: { name: spec.partName }, spec: { size: spec.size } });
    colors.push(part.spec.color);
  },
});

test("[CRE1] a child is created in the namespace of the object, which controls it, and returned as the server has it", async () => {
  await using world = await barWorld();
  world.start(creating);
  colors.length = 0;
  const { metadata } = await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const part = await world.find(Part, "default/a-part");
  assert.deepEqual([part?.metadata.ownerReferences?.[0]?.uid, part?.metadata.ownerReferences?.[0]?.controller], [metadata.uid, true]);
  assert.deepEqual(colors, ["red"]);
});

test("[CRE2] it is made once: one that is there stays as it is, also after a restart, and nothing prunes it", async () => {
  await using world = await barWorld();
  const program = world.start(creating);
  await world.client.create(Bar, barDraft("a", { size: 3 }));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 4 } });
  await world.settle();
  await program.stop();
  world.start(creating);
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { partName: "other" } });
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["POST parts", "POST parts"]);
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 3);
});

test("[CRE3] one that the cache does not show is found on the server", async () => {
  await using world = await barWorld();
  const sizes: (number | undefined)[] = [];
  const { running } = world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false, labelSelector: "made=by-bar" })],
      async reconcile({ spec }, { create }) {
        sizes.push((await create(Part, { metadata: { name: spec.partName }, spec: { size: spec.size } })).spec.size);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a", { size: 3 }));
  await world.settle();
  await world.client.mergePatch(Part, "default/a-part", { spec: { size: 9 } });
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(sizes, [3, 9]);
  assert.deepEqual(world.log.lines.filter(isError), []);
});

test("[CRE3] where the answer to the request is lost, the next reconcile finds what was made", async () => {
  await using world = await barWorld();
  world.intercept = ({ method, path }) => (method === "POST" && path.includes("/parts") ? "LoseAnswer" : undefined);
  world.start(creating);
  await world.client.create(Bar, barDraft("a"));
  await world.pass(60_000);
  assert.deepEqual(world.takeWrites(), ["POST parts"]);
  assert.equal(world.log.lines.filter(isError).length, 1);
});

test("[CRE4] under a name that is another's nothing is created, and the object is reconciled when it is free", async () => {
  await using world = await barWorld();
  await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: { color: "blue" } });
  let refused: unknown;
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile({ spec }, { create }) {
        refused = await create(Part, { metadata: { name: spec.partName }, spec: {} }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.ok(refused instanceof ChildConflictError);
  assert.deepEqual(world.takeWrites(), []);
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.color, "red");
});

for (const propagationPolicy of ["Foreground", "Orphan"] as const) {
  test(`[CRE5] of an object that is deleted with the policy ${propagationPolicy} none is created`, async () => {
    await using world = await barWorld();
    world.start(creating);
    await world.client.create(Bar, barDraft("a"));
    await world.settle();
    await world.client.delete(Bar, "default/a", { propagationPolicy });
    await world.settle();
    await world.client.delete(Part, "default/a-part");
    await world.pass(60_000);
    assert.deepEqual(world.takeWrites(), ["POST parts"]);
    assert.deepEqual(world.log.lines.filter(isError), []);
  });
}

function isError({ level }: { readonly level: string }): boolean {
  return level === "error";
}
