import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { explore } from "../exploration/explore.ts";

/** Its status says from the beginning that nobody has looked at it yet, as that of a Gateway does. */
const Lamp = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string() }),
  status: z.object({ phase: z.string() }).prefault({ phase: "Waiting" }),
});

const lamp = { metadata: { name: "desk", namespace: "default" }, spec: { colour: "red" } };

test("[WLD5] an object that is kept without its status has the default of it, also where it has not been written since", async () => {
  const controller = defineController(Lamp, { reconcile() {} });
  const seen = new Set<string | undefined>();
  const { findings, report } = await explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Lamp, lamp),
      user.mergePatch(Lamp, "default/desk", { metadata: { labels: { room: "study" } } }),
      user.mergePatch(Lamp, "default/desk", { metadata: { labels: { room: null } } }),
    ],
    always: { "a lamp has a phase": (world) => world.list(Lamp).every(({ status }) => seen.add(status?.phase)) },
    runs: 20,
  });
  assert.deepEqual(findings, [], report);
  assert.deepEqual([...seen], ["Waiting"]);
});
