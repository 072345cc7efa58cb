import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";
import { letGo, together, unstated } from "./initial-fields.ts";

/** Keeps a part that begins in green, and whose colour it states only while that is its business. */
function painting(isStated: () => boolean, shape: () => string = () => "round"): Controller {
  return defineController(Bar, {
    owns: [Part],
    async reconcile(bar, { apply }) {
      const colour = isStated() ? { color: "green" } : {};
      await apply(
        Part,
        { metadata: { name: bar.spec.partName }, spec: { shape: shape(), ...colour } },
        { initially: { spec: { color: "green" } } },
      );
    },
  });
}

const specOf = async (world: TestWorld) => (await world.find(Part, "default/a-part"))?.spec;

test("[APP16] a child begins with what is said initially, and what others make of that stays, also after a restart", async () => {
  await using world = await barWorld();
  let shape = "round";
  const controller = painting(
    () => false,
    () => shape,
  );
  const program = world.start(controller);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part", "PATCH parts/a-part"]);
  assert.equal((await specOf(world))?.color, "green");
  shape = "flat";
  program.running.enqueue("default/a");
  await world.settle();
  assert.deepEqual([(await specOf(world))?.color, (await specOf(world))?.shape], ["green", "flat"]);
  await world.client.mergePatch(Part, "default/a-part", { spec: { color: "blue" } });
  shape = "round";
  await program.stop();
  world.start(controller);
  await world.settle();
  assert.deepEqual([(await specOf(world))?.color, (await specOf(world))?.shape], ["blue", "round"]);
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part", "PATCH parts/a-part"]);
});

test("[APP16] a field that was stated stays as it is when it is left to others, and is taken back when it is stated again", async () => {
  await using world = await barWorld();
  let isStated = true;
  const program = world.start(painting(() => isStated));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  isStated = false;
  program.running.enqueue("default/a");
  await world.settle();
  // The server would give it the default, which is red.
  assert.equal((await specOf(world))?.color, "green");
  await world.client.mergePatch(Part, "default/a-part", { spec: { color: "blue" } });
  await world.settle();
  assert.equal((await specOf(world))?.color, "blue");
  isStated = true;
  program.running.enqueue("default/a");
  await world.settle();
  assert.equal((await specOf(world))?.color, "green");
});

test("[APP16] what is stated is none of what a child begins with", () => {
  const initially = { spec: { replicas: 3, template: { image: "a" } }, data: { seed: "x" } };
  assert.deepEqual(unstated(initially, { spec: { replicas: 2, template: {} } }), {
    spec: { template: { image: "a" } },
    data: { seed: "x" },
  });
  assert.equal(unstated(initially, initially), undefined);
  assert.deepEqual(together({ spec: { name: "web" } }, { spec: { replicas: 3 } }), { spec: { name: "web", replicas: 3 } });
});

test("[APP16] only fields that the manager has applied are let go, and what has none left with them", () => {
  const entry = (manager: string, fieldsV1: JsonObject) => ({ manager, operation: "Apply" as const, fieldsV1 });
  const other = entry("other", { "f:spec": { "f:replicas": {} } });
  const record = [other, entry("bar", { "f:spec": { "f:replicas": {}, "f:name": {} }, "f:data": { "f:seed": {} } })];
  assert.deepEqual(letGo(record, "bar", { spec: { replicas: 3 }, data: { seed: "x" } }), [
    other,
    entry("bar", { "f:spec": { "f:name": {} } }),
  ]);
  assert.equal(letGo(record, "bar", { spec: { size: 1 } }), undefined);
  assert.equal(letGo(record, "nobody", { spec: { replicas: 3 } }), undefined);
});
