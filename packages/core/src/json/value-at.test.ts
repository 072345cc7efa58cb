import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayAt, objectAt, textAt, valueAt } from "./value-at.ts";

const pod = { metadata: { name: "web", labels: null }, spec: { containers: [{ name: "main" }], replicas: 0 } };

test("a value is found by the names that lead to it, and is itself at the end of none", () => {
  assert.equal(valueAt(pod, "spec", "replicas"), 0);
  assert.equal(valueAt(pod, "metadata", "labels"), null);
  assert.equal(valueAt(pod), pod);
});

test("what is in no object is not there: neither in a text or an array, nor what every object inherits", () => {
  assert.equal(valueAt(pod, "metadata", "name", "length"), undefined);
  assert.equal(valueAt(pod, "spec", "containers", "0"), undefined);
  assert.equal(valueAt(pod, "metadata", "constructor"), undefined);
  assert.equal(valueAt(undefined, "metadata"), undefined);
});

test("what is of another type than it should be is as good as empty", () => {
  assert.deepEqual([textAt(pod, "metadata", "name"), textAt(pod, "spec", "replicas"), textAt(null)], ["web", "", ""]);
  assert.deepEqual([arrayAt(pod, "spec", "containers"), arrayAt(pod, "spec")], [[{ name: "main" }], []]);
  assert.deepEqual([objectAt(pod, "metadata", "labels"), objectAt(pod, "spec", "containers"), objectAt("text")], [{}, {}, {}]);
});
