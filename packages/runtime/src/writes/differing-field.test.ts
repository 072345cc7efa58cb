import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "@kaji/core";
import { compareApplied } from "./applied-fields.ts";
import { differingField } from "./differing-field.ts";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

const fields: JsonObject = {
  "f:metadata": { "f:labels": { "f:app": {} } },
  "f:spec": {
    "f:replicas": {},
    "f:selector": {},
    "f:limits": { "f:cpu": {} },
    "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:name": {}, "f:image": {} }, 'k:{"name":"log"}': { ".": {}, "f:name": {} } },
    "f:tags": { 'v:"a"': {} },
  },
};
const spec = {
  replicas: 2,
  selector: { app: "web" },
  limits: { cpu: "1" },
  containers: [{ name: "web", image: "web:1" }, { name: "log" }],
  tags: ["a"],
};
const wanted = { metadata: { labels: { app: "web" } }, spec };

test("[APP18] the field is named that has another value, was not applied before, or is applied no longer", () => {
  const inLive = (more: object): string | undefined => differingField(wanted, fields, { ...wanted, spec: { ...spec, ...more } });
  const inWanted = (more: object): string | undefined => differingField({ ...wanted, spec: { ...spec, ...more } }, fields, wanted);
  assert.equal(inLive({}), undefined);
  assert.equal(inLive({ limits: { cpu: "1000m" } }), undefined);
  assert.equal(inLive({ replicas: 3 }), "spec.replicas");
  assert.equal(inLive({ limits: { cpu: "2" } }), "spec.limits.cpu");
  assert.equal(inLive({ selector: { app: "other" } }), "spec.selector.app");
  assert.equal(inLive({ containers: [{ name: "web", image: "web:2" }, { name: "log" }] }), "spec.containers[name=web].image");
  assert.equal(inLive({ containers: [{ name: "web", image: "web:1" }] }), "spec.containers[name=log]");
  assert.equal(inLive({ containers: spec.containers.toReversed() }), "spec.containers");
  assert.equal(inLive({ tags: [] }), "spec.tags");
  assert.equal(inWanted({ paused: true }), "spec.paused");
  assert.equal(inWanted({ replicas: undefined }), "spec.replicas");
  assert.equal(inWanted({ containers: [...spec.containers, { name: "new" }] }), "spec.containers");
  assert.equal(differingField({ spec }, fields, wanted), "metadata");
});

test("[APP18] there is a field to name just where there is a difference", () => {
  const value = fc.constantFrom(1, 2, "a", [], ["a"], {}, { cpu: "1" }, [{ name: "web", image: "web:1" }], undefined);
  const part = fc.record({ replicas: value, selector: value, limits: value, containers: value, tags: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(part, part, (one, other) => {
      const [stated, live] = [{ spec: { ...spec, ...one } }, { spec: { ...spec, ...other } }] as unknown as readonly [
        JsonObject,
        JsonObject,
      ];
      assert.equal(differingField(stated, fields, live) === undefined, compareApplied(stated, fields, live) === "Same");
    }),
  );
});

test("[APP18] a child that is changed back is told of, with the field, and so is one that isApplied was asked about", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ metadata, spec: { size } }, { apply, isApplied }) {
        const part = { metadata: { name: metadata.name }, spec: { size } };
        isApplied(Part, part);
        await apply(Part, part);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(world.log.lines, []);
  await world.client.mergePatch(Part, "default/a", { spec: { size: 9 } });
  await world.settle();
  const line = ["debug", "samplecontroller.example.com/v1alpha1, Kind=Part default/a", "spec.size", "an object is not as it is wanted"];
  const told = world.log.lines.map(({ level, fields: said, message }) => [level, said["differs"], said["field"], message]);
  assert.deepEqual(told, [line, line]);
});
