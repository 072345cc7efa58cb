import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey, parseObjectKey } from "./object-key.ts";
import { ParseError } from "../error/parse-error.ts";

test("a key is NAMESPACE/NAME, or NAME at cluster scope", () => {
  assert.equal(objectKey({ namespace: "default", name: "web" }), "default/web");
  assert.equal(objectKey({ name: "node" }), "node");
  assert.equal(objectKey({ namespace: "", name: "node" }), "node");
  assert.deepEqual(parseObjectKey("default/web"), { namespace: "default", name: "web" });
  assert.deepEqual(parseObjectKey("node"), { name: "node" });
});

test("two keys of one object are one key", () => {
  assert.equal(new Set([objectKey({ namespace: "a", name: "b" }), objectKey({ name: "b", namespace: "a" })]).size, 1);
});

test("what names no object is refused", () => {
  assert.throws(() => objectKey({ name: "" }), TypeError);
  for (const key of ["", "/", "a/", "/b", "a/b/c"]) {
    assert.throws(() => parseObjectKey(key), new ParseError(`object key "${key}" is not of the form NAME or NAMESPACE/NAME`));
  }
});
