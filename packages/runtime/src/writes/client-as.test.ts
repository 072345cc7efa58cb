import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApiVersion } from "@kaji/core";
import { defineController } from "../declare/define-controller.ts";
import { permissionsOf } from "../declare/permissions.ts";
import { watch } from "../declare/declarations.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[ACT1] what is written as another user is declared nowhere, is in no role, and is the reconcile's own", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  const seen: unknown[] = [];
  const controller = defineController(Bar, {
    watches: [watch(Part, { applied: true })],
    async reconcile({ metadata: { namespace = "" }, spec }, { cache, clientAs, isApplied }) {
      reconciles++;
      const part = { metadata: { name: spec.partName, namespace }, spec: { size: spec.size } };
      if (isApplied(Part, part)) return;
      await clientAs("system:serviceaccount:default:deployer").apply(Part, part, { force: true });
      seen.push(cache.get(Part, part.metadata)?.spec.size);
    },
  });
  world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([reconciles, seen], [1, [1]]);
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part"]);
  const [group = ""] = formatApiVersion(Part).split("/");
  const verbs = permissionsOf([controller]).filter(({ apiGroup, resource }) => apiGroup === group && resource === "parts");
  assert.deepEqual(
    verbs.map((each) => each.verbs),
    [["get", "list", "watch"]],
  );
});
