import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Team = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Team",
  scope: "Cluster",
  spec: z.object({ places: k.set(z.string().max(20)).max(10).default([]) }),
});

test("what users put into a namespace can neither be made anew without it, nor be wanted before it is there", async () => {
  const controller = defineController(Team, {
    owns: [Namespace],
    watches: [watch(ConfigMap, { toKeys: () => ["a"] })],
    async reconcile({ spec }, { apply, cache }) {
      const inUse = [...cache.owned(Namespace)].map(({ metadata }) => metadata.name).filter((name) => !isEmpty(name));
      for (const name of new Set([...spec.places, ...inUse])) await apply(Namespace, { metadata: { name } });

      function isEmpty(namespace: string): boolean {
        return [...cache.list(ConfigMap, { namespace })].length === 0;
      }
    },
  });
  const { findings, report } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Team, { metadata: { name: "a" }, spec: { places: ["dev", "prod"] } }),
      user.create(ConfigMap, { metadata: { name: "theirs", namespace: "dev" }, data: { a: "b" } }),
      user.mergePatch(Team, "a", { spec: { places: ["prod"] } }),
    ],
    faults: { only: ["DeleteChild"] },
    runs: 20,
  });
  assert.equal(findings.length, 0, report);
});

test("what the server refuses at each try, until users want something else, is a failure and no rewriting", async () => {
  const Lamp = defineResource({
    group: "shop.example.com",
    version: "v1",
    kind: "Lamp",
    spec: z.object({ name: z.string().default("desk") }),
  });
  const controller = defineController(Lamp, {
    owns: [ConfigMap],
    reconcile: async ({ spec }, { apply }) => void (await apply(ConfigMap, { metadata: { name: spec.name }, data: {} })),
  });
  const { findings } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Lamp, { metadata: { name: "a", namespace: "default" }, spec: {} }),
      user.mergePatch(Lamp, "default/a", { spec: { name: "No Name" } }),
      user.mergePatch(Lamp, "default/a", { spec: { name: "floor" } }),
    ],
    runs: 1,
  });
  assert.deepEqual(
    findings.map(({ violation }) => violation.oracle),
    ["convergence"],
  );
  assert.match(findings[0]?.violation.message ?? "", /reconcile failed, and so does every one after it: .*"No Name" is invalid/);
});
