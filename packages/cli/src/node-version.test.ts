import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeProblem } from "./node-version.ts";

test("a Node that is too old is named, with the one that it takes", () => {
  assert.equal(nodeProblem(process.versions.node), undefined);
  assert.deepEqual([nodeProblem("24.0.0"), nodeProblem("100.1.0")], [undefined, undefined]);
  assert.match(nodeProblem("20.20.2") ?? "", /^it takes Node 24 or newer, and this is 20\.20\.2; /);
});
