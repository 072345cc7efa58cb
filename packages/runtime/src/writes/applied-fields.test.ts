import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { jsonOf, structuralEqual } from "@kaji/core";
import fc from "fast-check";
import { Part, barWorld } from "../testing/bar.ts";
import { compareApplied } from "./applied-fields.ts";

const screw = fc.record(
  { name: fc.constantFrom("left", "right", "top"), length: fc.integer({ min: 9, max: 11 }), head: fc.constantFrom("flat", "round") },
  { requiredKeys: ["name"] },
);
/** A Part that a controller may want, with lists in any order. */
const wanted = fc.record(
  {
    size: fc.integer({ min: 0, max: 2 }),
    color: fc.constantFrom("red", "blue"),
    shape: fc.constantFrom("round", "square"),
    screws: fc.uniqueArray(screw, { selector: ({ name }) => name, maxLength: 3 }),
    tags: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
  },
  { requiredKeys: ["size"] },
);

test("[APP2] [APP3] what was applied is the same as what is wanted if and only if nothing else would come of applying it", async () => {
  await using world = await barWorld();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(wanted, wanted, async (before, after) => {
      // The one exception, below.
      for (const list of ["screws", "tags"] as const) fc.pre(before[list] !== undefined || after[list]?.length !== 0);
      const metadata = { name: `part-${count++}`, namespace: "default" };
      const apply = (spec: typeof before) => world.client.apply(Part, { metadata, spec }, { fieldManager: "test", force: true });
      const comparison = (spec: typeof before, live: Part) =>
        compareApplied({ spec }, (live.metadata.managedFields?.[0]?.fieldsV1 ?? {}) as JsonObject, jsonOf(live));
      const first = await apply(before);
      assert.equal(comparison(before, first), "Same");
      const isSame = comparison(after, first) === "Same";
      const second = await apply(after);
      assert.equal(comparison(after, second), "Same");
      // A field that goes from ours to a default of the same value changes who has it, and so does one that comes to be ours.
      const hasChanged = !structuralEqual(first.spec, second.spec) || !structuralEqual(fieldsOf(first), fieldsOf(second));
      assert.equal(isSame, !hasChanged);
    }),
    { numRuns: 200 },
  );
});

test("[APP2] an empty list is the same as none: built-in kinds do not keep it, and would be written without end", () => {
  const fields = { "f:size": {} };
  assert.equal(compareApplied({ size: 1, tags: [] }, fields, { size: 1 }), "Same");
  assert.equal(compareApplied({ size: 1, tags: [] }, fields, { size: 1, tags: ["theirs"] }), "Fields");
});

test("[APP10] quantities in another form and defaults of built-in references mean the same", () => {
  const fields = { "f:resources": { "f:limits": { "f:cpu": {}, "f:memory": {} } }, "f:valueFrom": { "f:fieldRef": {} } };
  const config = { resources: { limits: { cpu: "1000m", memory: "1024Mi" } }, valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } };
  const live = {
    resources: { limits: { cpu: "1", memory: "1Gi" } },
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "spec.nodeName" } },
  };
  assert.equal(compareApplied(config, fields, live), "Same");
  assert.equal(compareApplied({ ...config, resources: { limits: { cpu: "2", memory: "1Gi" } } }, fields, live), "Values");
  assert.equal(compareApplied({ "f:label": "1000m" }, { "f:f:label": {} }, { "f:label": "1" }), "Values");
});

test("[APP10] what is a default in one place is a value in any other", () => {
  const isSame = (field: string, wanted: JsonObject, live: JsonObject): boolean =>
    compareApplied({ [field]: wanted }, { [`f:${field}`]: {} }, { [field]: live }) === "Same";
  assert.ok(isSame("resourceFieldRef", { resource: "limits.cpu" }, { resource: "limits.cpu", divisor: "0" }));
  const [port, claim] = [{ port: 80 }, { spec: { accessModes: ["ReadWriteOnce"] } }];
  assert.ok(isSame("ingress", { ports: [port] }, { ports: [{ ...port, protocol: "TCP" }] }));
  const made = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    spec: { ...claim.spec, volumeMode: "Filesystem" },
    status: { phase: "Pending" },
  };
  assert.equal(
    compareApplied({ volumeClaimTemplates: [claim] }, { "f:volumeClaimTemplates": {} }, { volumeClaimTemplates: [made] }),
    "Same",
  );
  assert.ok(!isSame("selector", { app: "web" }, { app: "web", protocol: "TCP" }));
  assert.ok(!isSame("nodeSelector", { zone: "a" }, { zone: "a", apiVersion: "v1" }));
});

test("[APP3] the order of a list that is merged by keys counts", () => {
  const fields = { "f:list": { 'k:{"name":"a"}': { ".": {}, "f:name": {} }, 'k:{"name":"b"}': { ".": {}, "f:name": {} } } };
  const live = { list: [{ name: "a" }, { name: "theirs" }, { name: "b" }] };
  assert.equal(compareApplied({ list: [{ name: "a" }, { name: "b" }] }, fields, live), "Same");
  assert.equal(compareApplied({ list: [{ name: "b" }, { name: "a" }] }, fields, live), "Values");
});

function fieldsOf({ metadata }: Part): unknown {
  return metadata.managedFields?.[0]?.fieldsV1;
}
