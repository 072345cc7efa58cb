import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApiVersion } from "@kaji/core";
import type { DynamicObject, Resource } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { metadataOf } from "@kaji/informer";
import { anyKind } from "../declare/any-kind.ts";
import { owned, watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { permissionsOf } from "../declare/permissions.ts";
import { requeueAfter } from "../declare/result.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";

const Cup = defineResource({ group: "late.example.com", version: "v1", kind: "Cup", spec: z.object({ size: z.int32().default(1) }) });

/** The name of a kind, as manifests have it. */
const named = (resource: Resource): Pick<DynamicObject, "apiVersion" | "kind"> => ({
  apiVersion: formatApiVersion(resource),
  kind: resource.kind,
});

/** Has the children that its Bars are told to have by the test: no kind of them is known when it is defined. */
function applying(wanted: () => readonly DynamicObject[]): Controller {
  return defineController(Bar, {
    owns: [anyKind],
    async reconcile(_bar, { apply, live }) {
      for (const child of wanted()) {
        const kind = await live.resourceOf(child);
        if (kind !== undefined) await apply(kind, child);
      }
    },
  });
}

const part = { ...named(Part), metadata: { name: "p" }, spec: { size: 3 } };
const cup = { ...named(Cup), metadata: { name: "c" }, spec: { size: 3 } };

async function lateWorld(): Promise<TestWorld> {
  const world = await barWorld();
  await world.define(Cup);
  return world;
}

test("[ANY5] children of kinds that are known only at run time are made, repaired and made again, and nothing is sent otherwise", async () => {
  await using world = await lateWorld();
  world.start(applying(() => [part, cup]));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal((await world.find(Part, "default/p"))?.metadata.ownerReferences?.[0]?.kind, "Bar");
  world.takeWrites();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(world.takeWrites(), []);
  await world.client.mergePatch(Cup, "default/c", { spec: { size: 9 } });
  await world.settle();
  assert.equal((await world.find(Cup, "default/c"))?.spec.size, 3);
  await world.client.delete(Cup, "default/c");
  await world.settle();
  assert.equal((await world.find(Cup, "default/c"))?.spec.size, 3);
});

test("[ANY5] children that one program has made are deleted by the next one, even if its cache does not know yet that they were", async () => {
  await using world = await lateWorld();
  let leader = -1;
  const [first, second] = [cup, part].map((child, program) =>
    world.start(
      defineController(Bar, {
        owns: [anyKind],
        async reconcile(_bar, { apply, live }) {
          const kind = program === leader ? await live.resourceOf(child) : undefined;
          if (kind === undefined) return requeueAfter("1h");
          await apply(kind, child);
          return undefined;
        },
      }),
    ),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.intercept = ({ path }) => {
    if (path.includes("/bars") && path.includes("watch=true")) throw new Error("the server is away");
  };
  world.breakWatches();
  await world.settle();
  for (const [index, program] of [first, second].entries()) {
    leader = index;
    program?.running.enqueue("default/a");
    await world.settle();
  }
  world.intercept = () => undefined;
  await world.pass(60_000);
  assert.notEqual(await world.find(Part, "default/p"), undefined);
  assert.equal(await world.find(Cup, "default/c"), undefined);
});

test("[ANY5] those that are wanted no longer are deleted, also after a restart, and when nothing wanted is of their kind", async () => {
  await using world = await lateWorld();
  let wanted: readonly DynamicObject[] = [part, cup];
  const first = world.start(applying(() => wanted));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  wanted = [part];
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(await world.find(Cup, "default/c"), undefined);
  await first.stop();
  wanted = [];
  world.start(applying(() => wanted));
  await world.settle();
  assert.equal(await world.find(Part, "default/p"), undefined);
  assert.deepEqual((await world.find(Bar, "default/a"))?.metadata.annotations ?? {}, {});
});

test("[ANY5] a kind is recorded before its first child is made: what a crash leaves behind is found", async () => {
  await using world = await lateWorld();
  let wanted: readonly DynamicObject[] = [cup];
  const first = world.start(applying(() => wanted));
  world.intercept = ({ method, path }) => (method === "PATCH" && path.includes("/cups/") ? "LoseAnswer" : undefined);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await first.stop();
  world.intercept = () => undefined;
  assert.ok((await world.find(Cup, "default/c")) !== undefined);
  wanted = [];
  world.start(applying(() => wanted));
  await world.settle();
  assert.equal(await world.find(Cup, "default/c"), undefined);
});

test("[ANY5] a child that is applied in another version of its kind is the same child", async () => {
  await using world = await barWorld();
  const v1 = defineResource({ group: "late.example.com", version: "v1", kind: "Cup", spec: z.object({ size: z.int32() }) });
  const { spec, ...rest } = v1.crd();
  const [served] = spec.versions;
  assert.ok(served !== undefined);
  await world.define({ crd: () => ({ ...rest, spec: { ...spec, versions: [served, { ...served, name: "v2", storage: false }] } }) });
  let apiVersion = "late.example.com/v1";
  world.start(applying(() => [{ ...cup, apiVersion }]));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const { uid } = (await world.find(v1, "default/c"))?.metadata ?? {};
  assert.ok(uid !== undefined);
  apiVersion = "late.example.com/v2";
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal((await world.find(v1, "default/c"))?.metadata.uid, uid);
});

test("[ANY5] a kind that cannot be watched is that reconcile's failure, and the controller goes on without it", async () => {
  await using world = await lateWorld();
  const { running } = world.start(applying(() => [cup]));
  world.intercept = ({ path }) => {
    if (path.includes("/cups")) throw new Error("no cups today");
  };
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const err = world.log.lines.find(({ level }) => level === "error")?.fields["err"];
  assert.match(String(err), /late\.example\.com\/v1, Kind=Cup cannot be watched: .*no cups today/);
  assert.deepEqual(
    running.mirrored.map(({ resource }) => resource.kind).filter((kind) => kind === "Cup"),
    [],
  );
  world.intercept = () => undefined;
  await world.pass(600_000);
  assert.equal((await world.find(Cup, "default/c"))?.spec.size, 3);
});

test("[ANY6] a kind that is known only at run time is mirrored from when it is asked for, and its readers are woken by its changes", async () => {
  await using world = await lateWorld();
  const seen: (number | undefined)[] = [];
  world.start(
    defineController(Bar, {
      watches: [anyKind],
      async reconcile(_bar, { cache }) {
        const kind = await cache.resourceOf(named(Cup));
        assert.ok(kind !== undefined);
        assert.equal(await cache.resourceOf({ ...named(Cup), kind: "Mug" }), undefined);
        seen.push((cache.get(kind, "default/c") as { spec?: { size: number } } | undefined)?.spec?.size);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.create(Cup, { metadata: { name: "other", namespace: "default" }, spec: {} });
  await world.client.create(Cup, { metadata: { name: "c", namespace: "default" }, spec: {} });
  await world.settle();
  await world.client.mergePatch(Cup, "default/c", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(seen, [undefined, 1, 2]);
});

test("[ANY6] a mapping is asked about the objects of every such kind", async () => {
  await using world = await lateWorld();
  const reconciled: string[] = [];
  world.start(
    defineController(Bar, {
      watches: [watch(anyKind, { toKeys: ({ metadata, kind }) => (kind === "Cup" ? [`default/${metadata.name}`] : []) })],
      async reconcile({ metadata }, { cache }) {
        reconciled.push(metadata.name);
        for (const kind of [Part, Cup]) await cache.resourceOf(named(kind));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.create(Part, { metadata: { name: "a", namespace: "default" }, spec: {} });
  await world.client.create(Cup, { metadata: { name: "a", namespace: "default" }, spec: {} });
  await world.settle();
  assert.deepEqual(reconciled, ["a", "a"]);
});

test("[ANY6] what was not asked for is told how to, and what is neither owned nor watched is refused", async () => {
  await using world = await lateWorld();
  const errors: unknown[] = [];
  world.start(
    defineController(Bar, {
      watches: [anyKind],
      reconcile(_bar, { cache }) {
        try {
          cache.get(Cup, "default/c");
        } catch (error) {
          errors.push(error);
        }
      },
    }),
  );
  world.start(
    defineController(Bar, {
      name: "other",
      async reconcile(_bar, { cache }) {
        errors.push(await cache.resourceOf(named(Cup)).catch((error: unknown) => error));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.ok(errors.every((error) => error instanceof UndeclaredError));
  const told = errors.map(String).toSorted();
  assert.match(told[0] ?? "", /controller bar does not declare watch of .*Cup: ask for it with await cache\.resourceOf\(…\) before/);
  assert.match(told[1] ?? "", /controller other does not declare watch of .*Cup: add watch\(Cup\) to its watches/);
});

test("[ANY7] in the role, to own or watch any kind is a rule for *, and one to record the kinds in the object", () => {
  const rules = (controller: Controller): unknown =>
    permissionsOf([controller])
      .filter(({ apiGroup }) => apiGroup !== "events.k8s.io")
      .map(({ apiGroup, resource, verbs }) => [apiGroup, resource, verbs.join()]);
  const reconcile = (): void => {};
  const own = "samplecontroller.example.com";
  assert.deepEqual(rules(defineController(Bar, { owns: [anyKind], reconcile })), [
    ["*", "*", "get,list,watch,create,patch,delete"],
    [own, "bars", "get,list,watch,patch"],
    [own, "bars/finalizers", "update"],
    [own, "bars/status", "update,patch"],
  ]);
  assert.deepEqual(rules(defineController(Bar, { owns: [owned(anyKind, { applied: false })], reconcile }))?.[1 as never], [
    own,
    "bars",
    "get,list,watch",
  ]);
  assert.deepEqual(rules(defineController(Bar, { watches: [anyKind], reconcile }))?.[0 as never], ["*", "*", "get,list,watch"]);
});

test("[ANY6] of a kind that is watched by its name in part, the rest is met like any other", async () => {
  await using world = await barWorld();
  const seen: unknown[] = [];
  world.start(
    defineController(Bar, {
      watches: [
        watch(Part, { labelSelector: "stock", toKeys: () => [] }),
        watch(anyKind, { labelSelector: "made", toKeys: () => ["default/a"] }),
      ],
      async reconcile(_bar, { cache }) {
        const kind = await cache.resourceOf(named(Part));
        assert.ok(kind !== undefined);
        seen.push(Array.from(cache.list(kind), ({ metadata: { name } }) => name).toSorted());
      },
    }),
  );
  for (const label of ["stock", "made", "other"]) {
    await world.client.create(Part, { metadata: { name: label, namespace: "default", labels: { [label]: "yes" } }, spec: {} });
  }
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.delete(Part, "default/made");
  await world.settle();
  assert.deepEqual([seen[0], seen.at(-1)], [["made", "stock"], ["stock"]]);
});

test("[ANY6] of a kind of which a view is watched by its name, whole objects are met", async () => {
  await using world = await barWorld();
  const sizes: unknown[] = [];
  world.start(
    defineController(Bar, {
      watches: [watch(metadataOf(Part)), anyKind],
      async reconcile(_bar, { cache }) {
        const kind = await cache.resourceOf(named(Part));
        for (const each of kind === undefined ? [] : cache.list(kind)) sizes.push(each["spec"]);
      },
    }),
  );
  await world.client.create(Part, { metadata: { name: "p", namespace: "default" }, spec: { size: 3 } });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(sizes, [{ size: 3, color: "red" }]);
});
