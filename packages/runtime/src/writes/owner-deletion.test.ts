import assert from "node:assert/strict";
import { test } from "node:test";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { requeueAfter } from "../declare/result.ts";
import { Bar, Part, barController, barDraft, barWorld, sizedPartController } from "../testing/bar.ts";

/** The requests for the Bar itself. */
function asked({ requests }: { readonly requests: readonly { readonly method: string; readonly path: string }[] }): number {
  return requests.filter(({ method, path }) => method === "GET" && path.endsWith("/bars/a")).length;
}

test("[RUN23] before a child that another client deleted is made again, the server is asked once whether the owner is there", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal(asked(world), 0);
  await world.client.delete(Part, "default/a-part");
  await world.settle();
  assert.equal(asked(world), 1);
  assert.notEqual(await world.find(Part, "default/a-part"), undefined);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(asked(world), 1);
});

test("[RUN23] if the server does not answer, it is asked again before anything is made", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.takeWrites();
  let refused = 0;
  world.intercept = ({ method, path }) => {
    if (method === "GET" && path.endsWith("/bars/a") && refused++ < 2) throw new Error("the server is away");
  };
  await world.client.delete(Part, "default/a-part");
  await world.pass(60_000);
  assert.equal(refused, 3);
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part"]);
});

test("[RUN23] what a reconcile deletes itself is no reason to ask", async () => {
  await using world = await barWorld();
  world.start(sizedPartController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(await world.find(Part, "default/p1"), undefined);
  assert.equal(asked(world), 0);
});

test("[APP14] for an object that waits for its children to go no child is made, and that is no failure", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Foreground" });
  await world.settle();
  world.takeWrites();
  await world.client.delete(Part, "default/a-part");
  await world.pass(60_000);
  assert.deepEqual(world.takeWrites(), []);
  assert.equal(await world.find(Part, "default/a-part"), undefined);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "error"),
    [],
  );
});

test("[APP14] a finalizer that needs a child has to wait until the others are gone", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile() {},
      async finalize(_bar, { apply }) {
        await apply(Part, { metadata: { name: "cleaner" }, spec: {} });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Foreground" });
  await world.pass(60_000);
  assert.equal(await world.find(Part, "default/cleaner"), undefined);
  const { metadata } = await world.client.get(Bar, "default/a");
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== "foregroundDeletion");
  await world.client.mergePatch(Bar, "default/a", { metadata: { finalizers } });
  await world.pass(60_000);
  assert.notEqual(await world.find(Part, "default/cleaner"), undefined);
  assert.equal(await world.find(Bar, "default/a"), undefined);
});

test("[APP19] a child of an object that orphans its children does not get its owner back, with which it would be deleted", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Orphan" });
  await world.client.mergePatch(Part, "default/a-part", { metadata: { ownerReferences: null }, spec: { size: 7 } });
  await world.pass(60_000);
  const { metadata, spec } = await world.client.get(Part, "default/a-part");
  assert.deepEqual([metadata.ownerReferences, spec.size], [undefined, 7]);
  assert.deepEqual(
    world.log.lines.filter(({ level }) => level === "error"),
    [],
  );
});

test("[APP19] a child that is still an object's is left as it is when the object orphans its children, and none is made", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Orphan" });
  await world.settle();
  world.takeWrites();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(60_000);
  await world.client.delete(Part, "default/a-part");
  await world.pass(60_000);
  assert.deepEqual(
    world.takeWrites().filter((write) => write.includes("parts")),
    [],
  );
});

/** As the garbage collector does: the children have no owner any more, and the owner no longer waits for that. */
async function orphan({ client }: Awaited<ReturnType<typeof barWorld>>, ...children: readonly string[]): Promise<void> {
  for (const child of children) await client.mergePatch(Part, child, { metadata: { ownerReferences: null } });
  const { metadata } = await client.get(Bar, "default/a");
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== "orphan");
  await client.mergePatch(Bar, "default/a", { metadata: { finalizers } });
}

test("[APP20] what an object has left to itself is left alone by its finalizer, which does not fail for ever", async () => {
  for (const takesOver of [undefined, ["kaji-test"]]) {
    await using world = await barWorld();
    world.start(
      defineController(Bar, {
        owns: [Part],
        ...(takesOver === undefined ? {} : { takesOver }),
        async reconcile(_bar, { apply, create }) {
          await apply(Part, { metadata: { name: "applied" }, spec: { size: 1 } });
          await create(Part, { metadata: { name: "created" }, spec: { size: 1 } });
        },
        async finalize(_bar, { apply, create }) {
          assert.equal((await apply(Part, { metadata: { name: "applied" }, spec: { size: 0 } })).spec.size, 1);
          assert.equal((await create(Part, { metadata: { name: "created" }, spec: { size: 0 } })).spec.size, 1);
          await apply(Part, { metadata: { name: "cleaner" }, spec: {} });
        },
      }),
    );
    await world.client.create(Bar, barDraft("a"));
    await world.settle();
    await world.client.delete(Bar, "default/a", { propagationPolicy: "Orphan" });
    await world.settle();
    await orphan(world, "default/applied", "default/created");
    await world.pass(60_000);
    assert.equal(await world.find(Bar, "default/a"), undefined);
    for (const name of ["applied", "created"]) {
      const { metadata, spec } = await world.client.get(Part, `default/${name}`);
      assert.deepEqual([metadata.ownerReferences, spec.size], [undefined, 1]);
    }
    assert.notEqual(await world.find(Part, "default/cleaner"), undefined);
  }
});

test("[APP20] an object whose finalizer waits for such a child to change says in its events why it does not go", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply }) {
        await apply(Part, { metadata: { name: "a-part" }, spec: { size: 1 } });
      },
      async finalize(_bar, { apply }) {
        const { spec } = await apply(Part, { metadata: { name: "a-part" }, spec: { size: 0 } });
        if (spec.size !== 0) return requeueAfter("5s");
        return undefined;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Orphan" });
  await world.settle();
  await orphan(world, "default/a-part");
  await world.pass(60_000);
  assert.notEqual(await world.find(Bar, "default/a"), undefined);
  const { type, reason, message } = world.events.at(-1) ?? assert.fail("there is no event");
  assert.deepEqual([type, reason], ["Normal", "ChildOrphaned"]);
  assert.match(
    message,
    / default\/a-part is left as it is, since it has been orphaned; a finalizer that waits for it to change waits in vain$/,
  );
});

test("[RUN21] a finalizer that deletes children and waits for them is called again when they are gone, and then lets the object go", async () => {
  await using world = await barWorld();
  const left: number[] = [];
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply }) {
        for (const name of ["a-part", "b-part"]) await apply(Part, { metadata: { name }, spec: { size: 1 } });
      },
      async finalize(_bar, { cache, client }) {
        const children = [...cache.owned(Part)];
        left.push(children.length);
        for (const child of children) await client.delete(Part, child);
        return children.length > 0 ? requeueAfter("1m") : undefined;
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a");
  await world.settle();
  assert.equal(await world.find(Bar, "default/a"), undefined);
  assert.deepEqual([left.at(0), left.at(-1)], [2, 0]);
});

test("[APP20] what was never the object's is still in the way, and one that is created only is known by what the server has", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile(_bar, { create }) {
        await create(Part, { metadata: { name: "created" }, spec: {} });
      },
      async finalize(_bar, { create }) {
        await create(Part, { metadata: { name: "created" }, spec: {} });
        await create(Part, { metadata: { name: "foreign" }, spec: {} });
      },
    }),
  );
  await world.client.create(Part, { metadata: { name: "foreign", namespace: "default" }, spec: {} });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Bar, "default/a", { propagationPolicy: "Orphan" });
  await world.settle();
  await orphan(world, "default/created");
  await world.pass(60_000);
  const failures = world.log.lines.filter(({ level }) => level === "error").map(({ fields }) => String(Object(fields).err));
  assert.match(failures.at(-1) ?? "", /^ChildConflictError: .*default\/foreign is not controlled by Bar a/);
  await world.client.delete(Part, "default/foreign");
  await world.pass(60_000);
  assert.equal(await world.find(Bar, "default/a"), undefined);
});
