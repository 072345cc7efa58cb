import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSelector, selectorOf } from "@kaji/core";
import type { CacheReads } from "@kaji/runtime";
import type { Pod } from "@kaji/types/core/v1";
import { selectedPods } from "./selected-pods.ts";

test("[HPA11] pods are looked for among those with a label that the selector names, and among all only where it names none", () => {
  const asked: string[] = [];
  const cache: Pick<CacheReads<Pod>, "by" | "list"> = {
    by: (_of, _index, value, query) => {
      asked.push(`${value} of ${query?.namespace}: ${selectorOf(query?.labelSelector ?? "").toString()}`);
      return Iterator.from([]);
    },
    list: (_of, query) => {
      asked.push(`all of ${query?.namespace}: ${selectorOf(query?.labelSelector ?? "").toString()}`);
      return Iterator.from([]);
    },
  };
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
