import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { anyKind, defineController, use, watch } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";

/** Has objects of whatever kinds it names, one after the other. */
const Kit = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Kit",
  spec: z.object({ parts: z.array(z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() })).max(5) }),
});

const parts = ["ConfigMap", "Secret"].map((kind) => ({ apiVersion: "v1", kind, name: "desk" }));
const kit = { metadata: { name: "desk", namespace: "default" }, spec: { parts } };

/** The lazy one takes it that all are there when the first is. */
const assembling = (isLazy: boolean) =>
  defineController(Kit, {
    uses: [use(anyKind, "get", "create", "patch", "delete")],
    async reconcile({ metadata: { namespace = "" }, spec }, { client, live }) {
      for (const { apiVersion, kind, name } of spec.parts) {
        const resource = await live.resourceOf({ apiVersion, kind });
        if (resource === undefined) continue;
        if ((await live.get(resource, { namespace, name }))?.metadata.labels?.["kit"] === "yes") {
          if (isLazy) return;
          continue;
        }
        await client.apply(resource, { metadata: { namespace, name, labels: { kit: "yes" } } });
      }
    },
    async finalize({ metadata: { namespace = "" }, spec }, { client, live }) {
      for (const { apiVersion, kind, name } of spec.parts) {
        const resource = await live.resourceOf({ apiVersion, kind });
        const found = resource && (await live.get(resource, { namespace, name }));
        if (resource !== undefined && found !== undefined) await client.delete(resource, found);
      }
    },
  });

test("a controller of kinds that are known at run time works under its own role, and what it does not need of that is told", async () => {
  await using cluster = await testCluster({ builtins: [], nodes: 0, scheduler: false, controllers: [assembling(false)] });
  await cluster.client.create(Kit, kit);
  await cluster.settled();
  const made = [await cluster.client.get(ConfigMap, "default/desk"), await cluster.client.get(Secret, "default/desk")];
  for (const { metadata } of made) assert.equal(metadata.labels?.["kit"], "yes");
  assert.deepEqual(cluster.unusedGrants(), [{ controller: "kit", field: "uses", resource: "*.*", verbs: ["delete"] }]);
  await cluster.client.delete(Kit, "default/desk");
  await cluster.settled();
  assert.deepEqual(cluster.unusedGrants(), []);
});

/** The same with children, all of which it has to look after. */
const owning = defineController(Kit, {
  owns: [anyKind],
  async reconcile({ spec }, { apply, live }) {
    for (const { apiVersion, kind, name } of spec.parts) {
      const resource = await live.resourceOf({ apiVersion, kind });
      if (resource !== undefined) await apply(resource, { metadata: { name, labels: { kit: "yes" } } });
    }
  },
});

test("a controller that owns kinds which are known at run time works under its own role", async () => {
  await using cluster = await testCluster({ builtins: [], nodes: 0, scheduler: false, controllers: [owning] });
  assert.deepEqual(cluster.unusedGrants(), [{ controller: "kit", field: "owns", resource: "*.*", verbs: ["create", "patch", "delete"] }]);
  await cluster.client.create(Kit, kit);
  await cluster.settled();
  await cluster.client.mergePatch(Kit, "default/desk", { spec: { parts: parts.slice(1) } });
  await cluster.settled();
  await assert.rejects(cluster.client.get(ConfigMap, "default/desk"), { reason: "NotFound" });
  assert.equal((await cluster.client.get(Secret, "default/desk")).metadata.labels?.["kit"], "yes");
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("children of kinds that are known at run time survive what can happen to them", async () => {
  const ops: Parameters<typeof explore>[0]["ops"] = (user) => [
    user.create(Kit, kit),
    user.mergePatch(Kit, "default/desk", { spec: { parts: parts.slice(1) } }),
    user.delete(Kit, "default/desk"),
  ];
  await explore({ controllers: [owning], ops, runs: 150 }).expectNoViolations();
});

/** The same with parts that are not its children, and are read from memory. The careless one looks only whether they are there. */
const watching = (isCareless: boolean) =>
  defineController(Kit, {
    watches: [watch(anyKind, { labelSelector: "kit", verbs: ["create", "patch", "delete"] })],
    async reconcile({ metadata: { namespace = "" }, spec }, { cache, client, isApplied }) {
      for (const { apiVersion, kind, name } of spec.parts) {
        const resource = await cache.resourceOf({ apiVersion, kind });
        const wanted = { metadata: { namespace, name, labels: { kit: "yes" } } };
        if (resource === undefined || (isCareless ? cache.get(resource, wanted.metadata) !== undefined : isApplied(resource, wanted)))
          continue;
        await client.apply(resource, wanted, { force: true });
      }
    },
    async finalize({ metadata: { namespace = "" }, spec }, { cache, client }) {
      for (const { apiVersion, kind, name } of spec.parts) {
        const resource = await cache.resourceOf({ apiVersion, kind });
        const found = resource && cache.get(resource, { namespace, name });
        if (resource !== undefined && found !== undefined) await client.delete(resource, found);
      }
    },
  });

test("what a controller declares of kinds that it watches and meets at run time is used when it is used on any of them", async () => {
  await using cluster = await testCluster({ builtins: [], nodes: 0, scheduler: false, controllers: [watching(false)] });
  await cluster.client.create(Kit, kit);
  await cluster.settled();
  assert.deepEqual(cluster.unusedGrants(), [{ controller: "kit", field: "watches", resource: "*.*", verbs: ["delete"] }]);
  await cluster.client.delete(Kit, "default/desk");
  await cluster.settled();
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("a controller that reads kinds from memory that are known at run time is explored like any other", async () => {
  const ops: Parameters<typeof explore>[0]["ops"] = (user) => [user.create(Kit, kit), user.delete(Kit, "default/desk")];
  await explore({ controllers: [watching(false)], ops, runs: 60 }).expectNoViolations();
});

test("[INT8] what an operator applies and watches is changed and deleted by others, though it is no child", async () => {
  const faults = { only: ["ChangeChild", "DeleteChild"] } as const;
  const story = { ops: (user) => [user.create(Kit, kit)], faults } satisfies Partial<Parameters<typeof explore>[0]>;
  const sound = await explore({ ...story, controllers: [watching(false)] });
  assert.match(sound.report, /^Explored: .*DeleteChild 2\/2, ChangeChild 2\/2/);
  const { findings } = await explore({ ...story, controllers: [watching(true)], findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /^ConfigMap default\/desk: metadata\.labels\.kit is/);
});

const story = (isLazy: boolean) =>
  ({
    controllers: [assembling(isLazy)],
    ops: (user) => [user.create(Kit, kit), user.delete(Kit, "default/desk")],
    runs: 12,
  }) satisfies Parameters<typeof explore>[0];

test("objects of kinds that are known at run time are compared like those of others", async () => {
  await explore(story(false)).expectNoViolations();
  const { findings } = await explore({ ...story(true), runs: 80, findings: 1 });
  assert.match(findings[0]?.violation.message ?? "", /^Secret default\/desk is missing/);
});
