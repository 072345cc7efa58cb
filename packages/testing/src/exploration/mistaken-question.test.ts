import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({}),
  status: z.object({ conditions: k.conditions() }),
});

const options: Parameters<typeof explore>[0] = {
  controllers: [
    defineController(Lamp, {
      async reconcile(_lamp, { setStatus }) {
        await setStatus({ conditions: [{ type: "Ready", status: "True", reason: "Lit", message: "" }] });
      },
    }),
  ],
  ops: (user) => [user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} })],
  runs: 1,
};

function mistaken(): never {
  throw new TypeError("there is no such key");
}

test("what `ready` throws ends the exploration, and says so", async () => {
  await assert.rejects(explore({ ...options, ready: mistaken }), /^Error: explore: ready threw TypeError: there is no such key$/);
});

test("what an invariant throws, other than an assertion, ends the exploration, and says which it was", async () => {
  const always = { "it is lit": mistaken };
  await assert.rejects(explore({ ...options, always }), /^Error: explore: always "it is lit" threw TypeError: there is no such key$/);
});
