import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSelector } from "@kaji/core";
import { askedPods } from "../testing/asked-pods.ts";
import { selectedPods } from "./selected-pods.ts";

test("[HPA11] pods are looked for among those with a label that the selector names, and among all only where it names none", () => {
  const { cache, asked } = askedPods();
  for (const text of ["app=web,tier!=test", "tier notin (test),app==web", "app in (web)", "app in (web,shop)", "app", "!app"])
    selectedPods(cache, "shop", parseSelector(text));
  assert.deepEqual(asked, [
    "app=web of shop: app=web,tier!=test",
    "app=web of shop: app==web,tier notin (test)",
    "app=web of shop: app in (web)",
    "all of shop: app in (shop,web)",
    "all of shop: app",
    "all of shop: !app",
  ]);
});
