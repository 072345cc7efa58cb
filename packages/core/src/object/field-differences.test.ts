import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { changedFields, fieldDifferences, formatFieldSteps } from "./field-differences.ts";

function told(before: JsonObject, after: JsonObject): readonly string[] {
  return fieldDifferences(before, after).map(
    ({ steps, before: old, after: present }) => `${formatFieldSteps(steps)}: ${JSON.stringify(old)} → ${JSON.stringify(present)}`,
  );
}

test("fields are told one by one, by their paths", () => {
  assert.deepEqual(told({ spec: { a: 1, b: { c: "x" }, same: [1] } }, { spec: { a: 2, b: {}, d: true, same: [1] } }), [
    "spec.a: 1 → 2",
    'spec.b.c: "x" → undefined',
    "spec.d: undefined → true",
  ]);
  assert.deepEqual(told({ metadata: {} }, { metadata: { labels: { "example.com/a": "b" } } }), [
    'metadata.labels["example.com/a"]: undefined → "b"',
  ]);
  assert.deepEqual(told({}, { status: {} }), ["status: undefined → {}"]);
});

test("items of a list are told apart by their names, whatever their order; others by their place", () => {
  const web = { name: "web", image: "a" };
  const log = { name: "log", image: "b" };
  assert.deepEqual(told({ containers: [web, log] }, { containers: [log, { ...web, image: "c" }] }), ['containers[web].image: "a" → "c"']);
  assert.deepEqual(told({ containers: [web] }, { containers: [web, log] }), [`containers[log]: undefined → ${JSON.stringify(log)}`]);
  assert.deepEqual(told({ conditions: [{ type: "Ready", status: "False" }] }, { conditions: [{ type: "Ready", status: "True" }] }), [
    'conditions[Ready].status: "False" → "True"',
  ]);
  const ready = { type: "Ready", status: "True" };
  assert.deepEqual(told({}, { status: { conditions: [ready] } }), [`status.conditions[Ready]: undefined → ${JSON.stringify(ready)}`]);
  assert.deepEqual(told({ args: ["a"] }, {}), ['args: ["a"] → undefined']);
  assert.deepEqual(told({ args: ["a", "b"] }, { args: ["a", "c", "d"] }), ['args[1]: "b" → "c"', 'args[2]: undefined → "d"']);
});

test("rules of roles are told apart by what they are about", () => {
  const maps = { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] };
  const lock = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: ["lock"], verbs: ["update"] };
  const health = { nonResourceURLs: ["/healthz"], verbs: ["get"] };
  const { resourceNames: _, ...leases } = lock;
  assert.deepEqual(told({ rules: [maps, lock] }, { rules: [health, lock, { ...maps, verbs: ["get", "list"] }, leases] }), [
    'rules[configmaps].verbs[1]: undefined → "list"',
    `rules[/healthz]: undefined → ${JSON.stringify(health)}`,
    `rules[leases.coordination.k8s.io]: undefined → ${JSON.stringify(leases)}`,
  ]);
  assert.deepEqual(
    [...changedFields({ rules: [maps, lock] }, { rules: [maps, { ...lock, verbs: ["get"] }] }).keys()],
    ["rules[leases.coordination.k8s.io/lock].verbs"],
  );
  assert.deepEqual(told({ rules: [maps, { ...maps, verbs: [] }] }, { rules: [maps] }), [
    `rules[1]: ${JSON.stringify({ ...maps, verbs: [] })} → undefined`,
  ]);
});

test("among the fields that changed, items without names are told by their lists", () => {
  const changed = (before: JsonObject, after: JsonObject): readonly string[] => [...changedFields(before, after).keys()];
  assert.deepEqual(changed({ args: ["a", "b"] }, { args: ["b"] }), ["args"]);
  assert.deepEqual(changed({ rules: [{ verbs: ["get"] }] }, { rules: [{ verbs: ["list"] }, { verbs: ["get"] }] }), [
    "rules[0].verbs",
    "rules",
  ]);
  assert.deepEqual(changed({ env: [{ name: "A" }] }, { env: [{ name: "B" }] }), ["env[A]", "env[B]"]);
  assert.deepEqual(changedFields({ grid: [[1]] }, { grid: [[2]] }), new Map([["grid", [{ type: "Field", name: "grid" }]]]));
});

test("what the server counts at each write is left out", () => {
  const metadata = { name: "a", resourceVersion: "1", generation: 1, managedFields: [] };
  assert.deepEqual(told({ metadata }, { metadata: { ...metadata, resourceVersion: "2", generation: 2, managedFields: [{}] } }), []);
});

test("two values differ in something exactly where they are not equal", () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  fc.assert(
    fc.property(value, value, (left, right) => {
      const [before, after] = [JSON.parse(JSON.stringify({ spec: left })), JSON.parse(JSON.stringify({ spec: right }))];
      assert.equal(fieldDifferences(before, after).length === 0, structuralEqual(before, after));
      for (const difference of fieldDifferences(before, after)) assert.ok(!structuralEqual(difference.before, difference.after));
    }),
  );
});
