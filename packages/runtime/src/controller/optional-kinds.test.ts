import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { owned, watch } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barDraft } from "../testing/bar.ts";
import { TestWorld } from "../testing/test-world.ts";

/** Keeps a Part for each Bar where there are Parts, and tells what it saw. */
function optionalController(seen: string[]): Controller {
  return defineController(Bar, {
    owns: [owned(Part, { optional: true })],
    async reconcile({ metadata: { name }, spec }, { apply, cache, isServed }) {
      seen.push(`${name}: ${isServed(Part) ? `${[...cache.list(Part)].length} parts` : "no such kind"}`);
      if (isServed(Part)) await apply(Part, { metadata: { name: spec.partName }, spec: { size: spec.size } });
    },
  });
}

test("[OPT1] a controller starts without an optional kind that the server lacks, and has no objects of it", async () => {
  await using world = new TestWorld();
  await world.define(Bar);
  await world.client.create(Bar, barDraft("a"));
  const seen: string[] = [];
  const { running } = world.start(optionalController(seen));
  await running.synced;
  await world.settle();
  assert.deepEqual(seen, ["a: no such kind"]);
  assert.deepEqual(
    running.mirrored.map(({ resource, isSynced, isAbsent }) => [resource.kind, isSynced, isAbsent]),
    [
      ["Bar", true, false],
      ["Part", false, true],
    ],
  );
  assert.deepEqual(world.takeWrites(), []);
});

test("[OPT2] when it has been installed every object is reconciled again, and so it is after it was removed meanwhile", async () => {
  await using world = new TestWorld();
  await world.define(Bar);
  for (const name of ["a", "b"]) await world.client.create(Bar, barDraft(name));
  const seen: string[] = [];
  world.start(optionalController(seen));
  await world.settle();
  await world.define(Part);
  await world.pass(60_000);
  assert.deepEqual(seen.splice(0), ["a: no such kind", "b: no such kind", "a: 0 parts", "b: 1 parts"]);
  assert.deepEqual(world.takeWrites(), ["PATCH parts/a-part", "PATCH parts/b-part"]);
  await world.client.delete(CustomResourceDefinition, "parts.samplecontroller.example.com");
  await world.pass(60_000);
  assert.deepEqual(
    ["a", "b"].map((name) => seen.findLast((line) => line.startsWith(name))),
    ["a: no such kind", "b: no such kind"],
  );
  seen.length = 0;
  await world.define(Part);
  await world.pass(60_000);
  assert.deepEqual([await world.find(Part, "default/a-part"), await world.find(Part, "default/b-part")].includes(undefined), false);
  assert.ok(seen.includes("a: 0 parts"));
});

test("[OPT3] a kind that is not optional, and one that is forbidden, are waited for", async () => {
  await using world = new TestWorld();
  await world.define(Bar);
  const reconcile = (): void => {};
  const needed = world.start(defineController(Bar, { name: "needed", watches: [Part], reconcile }));
  world.intercept = ({ path }) => {
    if (path.includes("/parts")) throw refusal("Forbidden", "not for you");
  };
  const refused = world.start(defineController(Bar, { name: "refused", watches: [watch(Part, { optional: true })], reconcile }));
  await world.pass(60_000);
  for (const { running } of [needed, refused]) {
    const [, part] = running.mirrored;
    assert.deepEqual([part?.isSynced, part?.isAbsent], [false, false]);
    assert.equal(await Promise.race([running.synced.then(() => "synced"), Promise.resolve("waits")]), "waits");
  }
});
