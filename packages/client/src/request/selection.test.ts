import assert from "node:assert/strict";
import { test } from "node:test";
import { Selector, parseFieldSelector, parseSelector } from "@kaji/core";
import { selectionQuery } from "./selection.ts";

test("[CL4] selectors are text, or the objects that core has for them", () => {
  const labelOf = (labelSelector: Parameters<typeof selectionQuery>[0]["labelSelector"]): unknown =>
    selectionQuery({ labelSelector })["labelSelector"];
  assert.equal(labelOf("app=web"), "app=web");
  assert.equal(labelOf(parseSelector("b,a=1")), "a=1,b");
  assert.equal(labelOf({ matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "Exists" }] }), "app=web,tier");
  assert.equal(selectionQuery({ fieldSelector: parseFieldSelector("metadata.name=a") })["fieldSelector"], "metadata.name=a");
});

test("[CL4] what selects everything is left out; what selects nothing is refused rather than sent as everything", () => {
  assert.deepEqual(selectionQuery({ labelSelector: {}, fieldSelector: "" }), { labelSelector: undefined, fieldSelector: undefined });
  assert.throws(() => selectionQuery({ labelSelector: Selector.nothing }), /selects nothing/);
});
