import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import { ChildConflictError } from "./child-conflict-error.ts";

test("[APP5] an owner is reconciled when the object that has the name goes, also while it is being found out whose it is", async () => {
  await using world = await barWorld();
  const notes: string[] = [];
  let gone = 0;
  const late: Transport = async (request) => {
    const isPart = request.path.includes("/parts/");
    if (isPart && request.method === "PATCH" && notes.length === 0)
      await world.client.create(Part, { metadata: { name: "a-part", namespace: "default" }, spec: {} });
    const answer = await world.transport(request);
    if (!isPart || request.method !== "GET" || gone++ > 0) return answer;
    await world.client.delete(Part, "default/a-part");
    // The watch shows its deletion before the answer shows that it is there.
    await world.clock.advance(0);
    return answer;
  };
  const client = new KubeClient(late, { clock: world.clock, random: seededRandom(4) });
  const controller = defineController(Bar, {
    owns: [Part],
    async reconcile(bar, { apply }) {
      const made = await apply(Part, { metadata: { name: bar.spec.partName }, spec: {} }).catch((error: unknown) => error);
      notes.push(made instanceof ChildConflictError ? "taken" : "made");
    },
  });
  world.start(controller, { client });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual([notes[0], notes.at(-1)], ["taken", "made"]);
});
