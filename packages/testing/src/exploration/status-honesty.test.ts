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

const Bulb = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Bulb",
  spec: z.object({ lamp: z.string() }),
});

const ready = { type: "Ready", status: "True", reason: "Mounted", message: "" } as const;

/** Makes a ConfigMap for a Bulb whose Lamp is ready. */
const bulbController = defineController(Bulb, {
  owns: [ConfigMap],
  watches: [Lamp],
  async reconcile({ metadata: { name, namespace = "" }, spec }, { apply, cache }) {
    const lamp = cache.get(Lamp, { namespace, name: spec.lamp });
    if (!isConditionTrue(lamp?.status?.conditions, "Ready")) return requeueAfter("1h");
    await apply(ConfigMap, { metadata: { name: `of-${name}` } });
  },
});

test("that another object of the operator waits for an object to be ready makes that no lie", async () => {
  const mounting = defineController(Lamp, {
    async reconcile(_lamp, { setStatus }) {
      await setStatus({ conditions: [ready] });
    },
  });
  await explore({
    controllers: [mounting, bulbController],
    ops: (user) => [
      user.create(Bulb, { metadata: { name: "left", namespace: "default" }, spec: { lamp: "desk" } }),
      user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} }),
    ],
    runs: 1,
  }).expectNoViolations();
});

test("that an object is ready whose child, another object of the operator, has work left is one", async () => {
  const mounting = defineController(Lamp, {
    owns: [Bulb],
    async reconcile({ metadata: { name } }, { apply, setStatus }) {
      await apply(Bulb, { metadata: { name: "left" }, spec: { lamp: name } });
      await setStatus({ conditions: [ready] });
    },
  });
  const { findings } = await explore({
    controllers: [mounting, bulbController],
    ops: (user) => [user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} })],
    runs: 1,
  });
  assert.match(
    findings[0]?.violation.message ?? "",
    /Lamp\.testing\.kaji\.dev default\/desk says Ready while the operator still has to patch ConfigMap default\/of-left/,
  );
});

const Rack = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Rack", spec: z.object({}) });

test("that an object is ready of which its owner, another object of the operator, then wants something else is no lie", async () => {
  const rackController = defineController(Rack, {
    owns: [Lamp],
    async reconcile(_rack, { apply, cache }) {
      const lamp = cache.get(Lamp, key);
      const isRed = lamp?.metadata.annotations?.["colour"] === "red" || isConditionTrue(lamp?.status?.conditions, "Ready");
      await apply(Lamp, { metadata: { name: "desk", annotations: { colour: isRed ? "red" : "white" } }, spec: {} });
    },
  });
  await explore({
    controllers: [rackController, painting(false)],
    ops: (user) => [user.create(Rack, { metadata: { name: "wall", namespace: "default" }, spec: {} })],
    eventually: { "it is red": (world) => world.get(ConfigMap, key)?.data?.["colour"] === "red" },
    runs: 1,
  }).expectNoViolations();
});
