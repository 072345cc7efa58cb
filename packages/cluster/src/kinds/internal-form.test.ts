import assert from "node:assert/strict";
import { test } from "node:test";
import { internalForm } from "./internal-form.ts";

test("names begin with capitals, abbreviations are all capitals, and nothing is left out", () => {
  assert.deepEqual(internalForm("rbac.v1.RoleRef", { kind: "Role", name: "x" }), { APIGroup: "", Kind: "Role", Name: "x" });
  assert.deepEqual(internalForm("networking.v1.ServiceCIDRSpec", {}), { CIDRs: null });
});

test("structs and lists are followed, types of the meta package are as they are", () => {
  assert.deepEqual(internalForm("policy.v1.PodDisruptionBudgetSpec", { minAvailable: "5%", selector: { matchLabels: { a: "b" } } }), {
    MinAvailable: "5%",
    Selector: { matchLabels: { a: "b" } },
    MaxUnavailable: null,
    UnhealthyPodEvictionPolicy: null,
  });
  assert.deepEqual(internalForm("batch.v1.SuccessPolicy", { rules: [{ succeededCount: 1 }] }), {
    Rules: [{ SucceededIndexes: null, SucceededCount: 1 }],
  });
});
