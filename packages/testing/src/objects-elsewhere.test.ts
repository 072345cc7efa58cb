import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { anyKind, defineController } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap, Namespace, Secret } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";

/** Has a namespace of its own, and in it what it is told to have. */
const Desk = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Desk",
  spec: z.object({ room: z.string(), drawers: z.array(z.string()), isLocked: z.boolean().default(false) }),
});

const desk = { metadata: { name: "desk", namespace: "default" }, spec: { room: "hall", drawers: ["top", "bottom"] } };

const hall = { metadata: { name: "hall" } };

const furnishing: Controller = defineController(Desk, {
  owns: [ConfigMap, Secret, Namespace],
  async reconcile({ metadata, spec: { room, drawers, isLocked } }, { apply }) {
    await apply(Namespace, { metadata: { name: `${metadata.name}-store` } });
    for (const name of drawers) await apply(ConfigMap, { metadata: { namespace: room, name }, data: { color: "oak" } });
    if (isLocked) await apply(Secret, { metadata: { namespace: room, name: "key" } });
  },
  finalize() {},
});

const ops: Parameters<typeof explore>[0]["ops"] = (user) => [
  user.create(Namespace, hall),
  user.create(Desk, desk),
  user.mergePatch(Desk, "default/desk", { spec: { drawers: ["top"], isLocked: true } }),
  user.mergePatch(Desk, "default/desk", { spec: { room: "kube-system", isLocked: false } }),
  user.delete(Desk, "default/desk"),
];

test("[ELS1] what an object has elsewhere is made and deleted under the role of the operator", async () => {
  await using cluster = await testCluster({ builtins: [], nodes: 0, scheduler: false, controllers: [furnishing] });
  await cluster.client.create(Namespace, hall);
  await cluster.client.create(Desk, desk);
  await cluster.settled();
  const labels = { "testing.kaji.dev/desk-owner": "default.desk" };
  assert.deepEqual((await cluster.client.get(ConfigMap, "hall/top")).metadata.labels, labels);
  await cluster.client.delete(Desk, "default/desk");
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(ConfigMap, { labelSelector: "testing.kaji.dev/desk-owner" })).items, []);
});

test("[ELS4] [ELS5] nothing is left behind elsewhere, whatever goes wrong", async () => {
  await explore({ controllers: [furnishing], ops, runs: 80 }).expectNoViolations();
});

test("[ELS4] [ELS5] nor is it where the kinds are known only at run time", async () => {
  const any: Controller = defineController(Desk, {
    owns: [anyKind],
    async reconcile({ spec: { room, drawers, isLocked } }, { apply, live }) {
      const kinds = [...drawers.map((name) => ["ConfigMap", name] as const), ...(isLocked ? [["Secret", "key"] as const] : [])];
      for (const [kind, name] of kinds) {
        const resource = await live.resourceOf({ apiVersion: "v1", kind });
        if (resource !== undefined) await apply(resource, { metadata: { namespace: room, name } });
      }
    },
    finalize() {},
  });
  await explore({ controllers: [any], ops, runs: 80 }).expectNoViolations();
});

test("[INT8] what an operator owns elsewhere is changed and deleted by others as children are", async () => {
  const faults = { only: ["ChangeChild", "DeleteChild"] } as const;
  const { report } = await explore({
    controllers: [furnishing],
    ops: (user) => [user.create(Namespace, hall), user.create(Desk, desk)],
    faults,
  });
  assert.match(report, /^Explored: .*DeleteChild 3\/3, ChangeChild \d+/);
});
