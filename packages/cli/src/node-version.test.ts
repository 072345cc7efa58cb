import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeProblem } from "./node-version.ts";
import { emptyProject } from "./testing/test-project.ts";

test("a Node that is too old is named, with the one that it takes", () => {
  assert.equal(nodeProblem(process.versions.node), undefined);
  assert.deepEqual([nodeProblem("24.0.0"), nodeProblem("100.1.0")], [undefined, undefined]);
  assert.match(nodeProblem("20.20.2", "/none") ?? "", /^it takes Node 24 or newer, and this is 20\.20\.2; install a newer one /);
});

test("where the project has a Node of its own, it is said how to run on that", () => {
  using project = emptyProject();
  assert.match(
    nodeProblem("20.20.2", project.folder) ?? "",
    /this is 20\.20\.2; npx kaji runs on the one that this project has; or install/,
  );
});
