import assert from "node:assert/strict";
import { test } from "node:test";
import { isConditionTrue } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({}),
  status: z.object({ colour: z.string().optional(), conditions: k.conditions() }),
});
const key = "default/desk";

/** Brings the colour that an annotation names into a ConfigMap, in two steps; the hasty one says in between that it is ready. */
function painting(isHasty: boolean): Controller {
  return defineController(Lamp, {
    owns: [ConfigMap],
    async reconcile({ metadata, status }, { apply, setStatus }) {
      const { colour = "white" } = metadata.annotations ?? {};
      const isSeen = status?.colour === colour;
      if (isSeen) await apply(ConfigMap, { metadata: { name: "desk" }, data: { colour } });
      const isReady = isHasty || isSeen;
      const ready = { type: "Ready", status: isReady ? "True" : "False", reason: "Painted", message: "" } as const;
      await setStatus({ colour, conditions: [ready] });
      return isSeen ? undefined : requeueAfter("1s");
    },
  });
}

const options = (isHasty: boolean) =>
  ({
    controllers: [painting(isHasty)],
    ops: (user) => [
      user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} }),
      user.mergePatch(Lamp, key, { metadata: { annotations: { colour: "red" } } }),
    ],
    eventually: { "it is ready": (world) => isConditionTrue(world.get(Lamp, key)?.status?.conditions, "Ready") },
    runs: 1,
  }) satisfies Parameters<typeof explore>[0];

test("that an object was ready when a user annotated it is no lie of the operator", async () => {
  await explore(options(false)).expectNoViolations();
});

test("that an object is ready after its operator has seen the annotation, and has work left, is one", async () => {
  const { findings } = await explore(options(true));
  assert.deepEqual(
    findings.map(({ violation }) => violation.oracle),
    ["status honesty"],
  );
});
