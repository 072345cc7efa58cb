import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import type { Draft } from "@kaji/core";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { TestWorld } from "../testing/test-world.ts";

/** Keeps a part with the screws that are wanted at the moment. */
function fitter(screws: () => readonly string[], takesOver: readonly string[], name = "fitter"): Controller {
  return defineController(Bar, {
    name,
    owns: [Part],
    takesOver,
    async reconcile(bar, { apply }) {
      const metadata = { name: bar.spec.partName, labels: { made: "by-fitter" } };
      await apply(Part, { metadata, spec: { size: 1, screws: screws().map((name) => ({ name })) } });
    },
  });
}

const made: Draft<Part> = {
  metadata: { name: "a-part", namespace: "default", annotations: { note: "by hand" } },
  spec: { size: 1, shape: "round", screws: [{ name: "left" }, { name: "right" }] },
};
const byLoop = { fieldManager: "old-loop" } as const;

test("[APP15] what a predecessor has set, and is not wanted, is removed, and what others have set stays", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, setControllerReference(bar, made), byLoop);
  await world.client.mergePatch(Part, "default/a-part", { spec: { color: "blue" } }, { fieldManager: "painter" });
  let screws: readonly string[] = ["left", "right"];
  const program = world.start(fitter(() => screws, ["old-loop"]));
  await world.settle();
  const before = await world.find(Part, "default/a-part");
  assert.deepEqual([before?.spec.shape, before?.metadata.annotations, before?.spec.color], [undefined, undefined, "blue"]);
  const managers = (before?.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);
  assert.deepEqual(managers.toSorted(), ["fitter Apply", "painter Update"]);
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part", "PATCH parts/a-part"]);
  screws = ["left"];
  program.running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(
    (await world.find(Part, "default/a-part"))?.spec.screws?.map(({ name }) => name),
    ["left"],
  );
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part"]);
});

test("[APP15] without it, a field that is not wanted any more and stays is told, with who else has set it", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  await world.client.create(Part, setControllerReference(bar, made), byLoop);
  let screws: readonly string[] = ["left", "right"];
  const program = world.start(fitter(() => screws, []));
  await world.settle();
  assert.deepEqual(warnings(world), []);
  screws = ["left"];
  program.running.enqueue("default/a");
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.spec.screws?.length, 2);
  const [line, ...others] = warnings(world);
  assert.match(
    line ?? "",
    /^spec\.screws\[name=right\] of .*Part default\/a-part is not applied any more, and stays, since old-loop has set it too/,
  );
  assert.deepEqual(others, []);
});

test("[APP15] while both are at work, what they agree on is written by neither again", async () => {
  await using world = await barWorld();
  const bar = await world.client.create(Bar, barDraft("a"));
  const part = setControllerReference(bar, { ...made, metadata: { name: "a-part", namespace: "default", labels: { made: "by-fitter" } } });
  await world.client.create(Part, part, byLoop);
  world.start(fitter(() => ["left", "right"], ["old-loop"]));
  await world.settle();
  world.takeWrites();
  const { metadata, spec } = await world.client.get(Part, "default/a-part");
  const { metadata: again } = await world.client.update(Part, { metadata, spec }, byLoop);
  await world.settle();
  assert.equal(again.resourceVersion, metadata.resourceVersion);
  assert.deepEqual(world.takeWrites(), []);
});

test("[APP15] a child that a predecessor made without a controller is adopted, and one that somebody else made is not", async () => {
  await using world = await barWorld();
  await world.client.create(Part, made, byLoop);
  await world.client.create(Part, { ...made, metadata: { name: "b-part", namespace: "default" } }, { fieldManager: "somebody" });
  world.start(fitter(() => ["left"], ["old-loop"]));
  const { metadata } = await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal((await world.find(Part, "default/a-part"))?.metadata.ownerReferences?.[0]?.uid, metadata.uid);
  await world.client.create(Bar, barDraft("b"));
  await world.settle();
  assert.equal((await world.find(Part, "default/b-part"))?.metadata.ownerReferences, undefined);
});

test("[APP15] a controller that is called otherwise takes over what it applied under its former name", async () => {
  await using world = await barWorld();
  const former = world.start(fitter(() => ["left", "right"], [], "former"));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await former.stop();
  world.start(fitter(() => ["left"], ["former"]));
  await world.settle();
  const part = await world.find(Part, "default/a-part");
  assert.deepEqual(
    part?.spec.screws?.map(({ name }) => name),
    ["left"],
  );
});

function warnings({ log }: TestWorld): readonly string[] {
  return log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
}
