import assert from "node:assert/strict";
import { test } from "node:test";
import type { Access } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import fc from "fast-check";
import { ruleAllows, rulesOf } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { describeRules, missingRules } from "./rule-coverage.ts";
import { rule } from "./testing/policy-objects.ts";

function rules(...given: readonly JsonObject[]): readonly PolicyRule[] {
  return rulesOf({ rules: given });
}

test("what is missing is told by resource, with its verbs together, and by path", () => {
  const missing = missingRules(
    rules(rule("core", "pods", "get")),
    rules(rule("core apps", "pods", "get list"), rule("core", "secrets", "get update", "x y"), {
      nonResourceURLs: ["/b"],
      verbs: ["get", "put"],
    }),
  );
  assert.equal(
    describeRules(missing),
    [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["x"], Verbs:["get" "update"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["y"], Verbs:["get" "update"]}',
      '{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
      '{NonResourceURLs:["/b"], Verbs:["put"]}',
    ].join("\n"),
  );
});

test("stars cover what they stand for, and only a star covers a star", () => {
  const isCovered = (owned: JsonObject, wanted: JsonObject): boolean => missingRules(rules(owned), rules(wanted)).length === 0;
  assert.ok(isCovered(rule("*", "*", "*"), rule("*", "*", "*")));
  assert.ok(isCovered(rule("*", "*/scale", "get"), rule("apps", "deployments/scale", "get")));
  assert.ok(!isCovered(rule("core", "pods", "get list watch"), rule("core", "pods", "*")));
  assert.ok(!isCovered(rule("core", "pods", "get", "x"), rule("core", "pods", "get")));
  assert.ok(isCovered(rule("core", "pods", "get"), rule("core", "pods", "get", "x")));
  assert.ok(!isCovered(rule("core", "*", "get"), { nonResourceURLs: ["*"], verbs: ["get"] }));
  assert.ok(isCovered({ nonResourceURLs: ["/a*"], verbs: ["*"] }, { nonResourceURLs: ["/a/b"], verbs: ["get"] }));
});

test("rules that cover another allow all that it allows", () => {
  const some = (...values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const anyRule = fc.record({
    verbs: some("get", "list", "*"),
    apiGroups: some("", "apps", "*"),
    resources: some("pods", "pods/log", "*/log", "*"),
    resourceNames: fc.uniqueArray(fc.constantFrom("x", "y")),
    nonResourceURLs: fc.constant([]),
  });
  const anyAccess: fc.Arbitrary<Access> = fc.record({
    type: fc.constant("Resource"),
    verb: fc.constantFrom("get", "list", "delete"),
    group: fc.constantFrom("", "apps", "batch"),
    version: fc.constant("v1"),
    resource: fc.constantFrom("pods", "secrets"),
    subresource: fc.constantFrom(undefined, "log"),
    namespace: fc.constant(undefined),
    name: fc.constantFrom(undefined, "x", "z"),
  });
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 3 }), anyRule, anyAccess, (owned, wanted, access) => {
      if (missingRules(owned, [wanted]).length > 0 || !ruleAllows(wanted, access)) return;
      assert.ok(owned.some((each) => ruleAllows(each, access)));
    }),
  );
});
