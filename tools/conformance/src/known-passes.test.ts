import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { focusOn, knownPasses, withoutTags } from "./known-passes.ts";

test("what passed in time is known by its name", () => {
  const table = `# Title

| test                | result | seconds |
| ------------------- | ------ | ------- |
| [sig-a] fast (1)    | passed | 0.06    |
| [sig-a] slow        | passed | 60.5    |
| [sig-a] wrong       | failed | 0.1     |
`;
  assert.deepEqual(knownPasses(table, 5), ["[sig-a] fast (1)"]);
});

test("tests are found by their names, whatever their tags", () => {
  const focus = new RegExp(focusOn(["[sig-a] fast [Serial] (1)", "b"]));
  assert.match("[sig-a] fast [Privileged:ClusterAdmin] [Serial] (1) [Conformance]", focus);
  assert.doesNotMatch("[sig-a] fast (2) [Conformance]", focus);
  assert.equal(withoutTags("[sig-a] fast [Serial] (1) [Conformance]"), "[sig-a] fast (1)");
});

test("the committed table has at least 340 tests that pass, many of them fast", () => {
  const table = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
  assert.ok(knownPasses(table, Infinity).length >= 340);
  assert.ok(knownPasses(table, 2).length >= 100);
});
