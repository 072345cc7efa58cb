import assert from "node:assert/strict";
import { test } from "node:test";
import { askedPods } from "../testing/asked-pods.ts";
import { podsOf } from "./budget-pods.ts";

test("[PDB2] the pods of a budget are looked for among those with a label that it names", () => {
  const { cache, asked } = askedPods();
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { namespace: "shop", name: "web" } } as const;
  podsOf({ ...budget, spec: { selector: { matchLabels: { app: "web" } } } }, cache);
  podsOf(budget, cache);
  assert.deepEqual(asked, ["app=web of shop: app=web"]);
});
