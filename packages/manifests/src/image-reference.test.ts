import assert from "node:assert/strict";
import { test } from "node:test";
import { isImageReference } from "./image-reference.ts";

test("the name of an image has a registry, a path in small letters, a tag and a digest", () => {
  const digest = `sha256:${"0a".repeat(32)}`;
  for (const text of [
    "bars",
    "bars:1.2.3",
    "localhost:5000/bars",
    "Registry.example.com/team/bars__x:V1",
    `[::1]:5000/bars@${digest}`,
    `a/b-c.d:x@${digest}`,
  ]) {
    assert.equal(isImageReference(text), true, text);
  }
  for (const text of [
    "",
    "my image",
    "registry.example.com/Bars:1",
    "bars:",
    "bars: 1",
    "https://example.com/bars",
    "bars@sha256:12",
    "bars:1:2",
    "a..b/bars",
    "0a".repeat(32),
  ]) {
    assert.equal(isImageReference(text), false, text);
  }
});
