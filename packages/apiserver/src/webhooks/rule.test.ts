import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isExempt, ruleMatches } from "./rule.ts";
import type { Rule, RuleSubject } from "./rule.ts";

const subject: RuleSubject = {
  operation: "CREATE",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "",
  namespace: "default",
  name: "one",
};
const all: Rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "*" };

const word = fc.constantFrom("a", "b", "c");
const subjects = fc.record<RuleSubject>({
  operation: fc.constantFrom("CREATE", "UPDATE", "DELETE"),
  group: fc.constantFrom("", "a", "b"),
  version: word,
  resource: word,
  subresource: fc.constantFrom("", "status", "scale"),
  namespace: fc.constantFrom("", "default"),
  name: fc.constantFrom("", "one"),
});

test("[WH10] stars mean everything, and a rule that names just one thing means it", () => {
  fc.assert(
    fc.property(subjects, (each) => {
      const named = { operations: [each.operation], apiGroups: [each.group], apiVersions: [each.version] };
      const resources = [each.subresource === "" ? each.resource : `${each.resource}/${each.subresource}`];
      assert.ok(ruleMatches(all, each));
      assert.ok(ruleMatches({ ...named, resources }, each));
      assert.ok(!ruleMatches({ ...all, operations: ["CONNECT"] }, each));
      assert.ok(!ruleMatches({ ...all, apiGroups: ["other"] }, each));
      assert.ok(!ruleMatches({ ...all, apiVersions: ["other"] }, each));
    }),
  );
});

test("[WH10] a resource without a slash means objects, not what is below them", () => {
  const status = { ...subject, subresource: "status" };
  const meant = (pattern: string): readonly boolean[] =>
    [subject, status].map((each) => ruleMatches({ ...all, resources: [pattern] }, each));
  assert.deepEqual(meant("deployments"), [true, false]);
  assert.deepEqual(meant("*"), [true, false]);
  assert.deepEqual(meant("deployments/*"), [true, true]);
  assert.deepEqual(meant("deployments/status"), [false, true]);
  assert.deepEqual(meant("*/status"), [false, true]);
  assert.deepEqual(meant("*/*"), [true, true]);
  assert.deepEqual(meant("pods/*"), [false, false]);
});

test("[WH11] a namespace is an object of the cluster, though requests for it have a namespace", () => {
  const namespace = { ...subject, group: "", resource: "namespaces", namespace: "default" };
  const node = { ...namespace, resource: "nodes", namespace: "" };
  const meant = (scope: string): readonly boolean[] => [subject, namespace, node].map((each) => ruleMatches({ ...all, scope }, each));
  assert.deepEqual(meant("*"), [true, true, true]);
  assert.deepEqual(meant("Cluster"), [false, true, true]);
  assert.deepEqual(meant("Namespaced"), [true, false, false]);
});

test("[WH12] configurations of webhooks and policies are nobody's business", () => {
  const group = "admissionregistration.k8s.io";
  assert.ok(isExempt({ group, kind: "MutatingWebhookConfiguration" }));
  assert.ok(isExempt({ group, kind: "ValidatingAdmissionPolicyBinding" }));
  assert.ok(!isExempt({ group: "example.com", kind: "MutatingWebhookConfiguration" }));
});

test("[WH10] a rule with names means the objects of those names only", () => {
  const rule: Rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], resourceNames: ["one", "two"] };
  assert.equal(ruleMatches(rule, subject), true);
  assert.equal(ruleMatches(rule, { ...subject, name: "three" }), false);
  assert.equal(ruleMatches(rule, { ...subject, name: "" }), false);
});
