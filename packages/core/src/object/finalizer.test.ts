import assert from "node:assert/strict";
import { test } from "node:test";
import { addFinalizer, hasFinalizer, removeFinalizer } from "./finalizer.ts";

const bare = Object.freeze({ metadata: Object.freeze({ name: "a" }), spec: { b: 1 } });

test("[FIN1] a finalizer is added once, at the end", () => {
  const one = addFinalizer(bare, "example.com/a");
  assert.deepEqual(one, { metadata: { name: "a", finalizers: ["example.com/a"] }, spec: { b: 1 } });
  assert.equal(addFinalizer(one, "example.com/a"), one);
  assert.deepEqual(removeFinalizer(addFinalizer(one, "example.com/b"), "example.com/a").metadata, {
    name: "a",
    finalizers: ["example.com/b"],
  });
});

test("[FIN2] the last one leaves no empty list behind", () => {
  assert.deepEqual(removeFinalizer(addFinalizer(bare, "example.com/a"), "example.com/a"), bare);
  assert.equal(removeFinalizer(bare, "example.com/a"), bare);
  const twice = { metadata: { name: "a", finalizers: ["x/y", "x/y"] } };
  assert.deepEqual(removeFinalizer(twice, "x/y").metadata, { name: "a" });
});

test("an object has a finalizer or it has not", () => {
  assert.equal(hasFinalizer(bare, "example.com/a"), false);
  assert.equal(hasFinalizer(addFinalizer(bare, "example.com/a"), "example.com/a"), true);
});
