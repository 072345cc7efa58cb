import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { formatJsonPointer, parseJsonPointer } from "./json-pointer.ts";

test("[PATCH5] a pointer names keys, with ~1 for a slash and ~0 for a tilde", () => {
  assert.deepEqual(parseJsonPointer(""), []);
  assert.deepEqual(parseJsonPointer("/"), [""]);
  assert.deepEqual(parseJsonPointer("/metadata/annotations/kubernetes.io~1x"), ["metadata", "annotations", "kubernetes.io/x"]);
  assert.deepEqual(parseJsonPointer("/~01/~2/~"), ["~1", "~2", "~"]);
  assert.equal(formatJsonPointer(["a/b", "~1", ""]), "/a~1b/~01/");
});

test("[PATCH5] a pointer has a slash, and what comes before the first does not count", () => {
  assert.equal(parseJsonPointer("a"), undefined);
  assert.deepEqual(parseJsonPointer("a/b"), ["b"]);
});

test("[PATCH5] parsing undoes formatting", () => {
  const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("~", "/", "0", "1") }));
  const property = fc.property(fc.array(key), (keys) => assert.deepEqual(parseJsonPointer(formatJsonPointer(keys)), keys));
  fc.assert(property, { seed: 6901 });
});
