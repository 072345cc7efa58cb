import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "../../exploration/explore.ts";
import type { Actor, Stage } from "./actor.ts";

const Lamp = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Lamp", spec: z.object({}) });
const named = { name: "desk", namespace: "default" } as const;

const lighting = defineController(Lamp, {
  owns: [ConfigMap],
  async reconcile(_lamp, { apply }) {
    await apply(ConfigMap, { metadata: named });
  },
});

/** Labels each new ConfigMap a while later, whatever became of it. */
const labelling: Actor = {
  name: "labelling",
  react({ type, id }, { client, later }) {
    if (type !== "Created" || !id.startsWith("ConfigMap ")) return;
    later(id, 20, async () => void (await client.mergePatch(ConfigMap, named, { metadata: { labels: { seen: "yes" } } })));
  },
};

test("[WLD4] an actor that comes too late for what somebody else deleted has not failed", async () => {
  const exploration = await explore({
    controllers: [lighting],
    world: [labelling],
    ops: (user) => [user.create(Lamp, { metadata: named, spec: {} })],
    faults: { only: ["Overtake"] },
  });
  assert.deepEqual(exploration.coverage.faults["Overtake"], { planned: 1, explored: 1 });
  exploration.expectNoViolations();
});

test("[WLD4] one that fails ends the run with its name and its error", async () => {
  const cases: readonly ((stage: Stage) => void)[] = [
    ({ later }) => later("it", 20, () => Promise.reject(new RangeError("no such bulb"))),
    () => {
      throw new RangeError("no such bulb");
    },
  ];
  for (const react of cases) {
    const run = explore({
      controllers: [lighting],
      world: [{ name: "bulbs", react: ({ id }, stage) => void (id.startsWith("Lamp") && react(stage)) }],
      ops: (user) => [user.create(Lamp, { metadata: named, spec: {} })],
    });
    await assert.rejects(run, { message: 'the actor "bulbs" failed: no such bulb' });
  }
});
