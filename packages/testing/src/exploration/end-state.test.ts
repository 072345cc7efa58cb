import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string().optional() }),
  status: z.object({ colour: z.string().optional() }),
});

test("a status whose last field was removed is no other than one that was never written", async () => {
  const controller = defineController(Lamp, {
    async reconcile({ spec }, { setStatus }) {
      await setStatus({ colour: spec.colour });
    },
  });
  const { findings, report } = await explore({ controllers: [controller], runs: 10 });
  assert.deepEqual(findings, [], report);
});
