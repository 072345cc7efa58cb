import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { binding, role, rule } from "./testing/policy-objects.ts";
import { clusterRoleBindings, clusterRoles, startPolicyServer } from "./testing/policy-server.ts";
import type { PolicyServer } from "./testing/policy-server.ts";

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/team/roles";
const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings";
const rbacRule = (resources: string, verbs: string, names?: string): JsonObject =>
  rule("rbac.authorization.k8s.io", resources, verbs, names);
const merge = "application/merge-patch+json";

/** A server on which `rita` may write all roles and bindings, and has these rules besides. */
async function setUp(...own: readonly JsonObject[]): Promise<PolicyServer> {
  const rbac = await startPolicyServer();
  const writing = rbacRule("roles rolebindings clusterroles clusterrolebindings", "create update patch get");
  await rbac.admin.send("POST", clusterRoles, role("rita", [writing, ...own]));
  await rbac.admin.send("POST", clusterRoleBindings, binding("rita", "ClusterRole rita", ["User rita"]));
  return rbac;
}

test("who has all of a role may write it and give it", async () => {
  await using rbac = await setUp(rule("core", "pods", "get list"));
  const rita = rbac.as("rita");
  await rita.send("POST", roles, role("less", [rule("core", "pods", "get")], "team"));
  await rita.send("POST", bindings, binding("less", "Role less", ["User tom"], "team"));
  await rita.send("POST", clusterRoles, role("less", [rule("core", "pods", "list", "x")]));
});

test("who lacks something of a role is told what, and by name of whom", async () => {
  await using rbac = await setUp(rule("core", "pods", "get"));
  await assert.rejects(rbac.as("rita", "staff").send("POST", roles, role("more", [rule("core", "pods secrets", "get list")], "team")), {
    reason: "Forbidden",
    message: `${[
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "rita" (groups=["staff" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    ].join("\n")} (POST ${roles})`,
  });
});

test("the refusal comes before the validation of the role", async () => {
  await using rbac = await setUp();
  const invalid = { ...role("odd", [rule("core", "secrets", "get")], "team"), metadata: { name: "odd", labels: { a: "not valid!" } } };
  await assert.rejects(rbac.as("rita").send("POST", roles, invalid), { reason: "Forbidden" });
});

test("what rules a binding gives is asked of the role as it is now", async () => {
  await using rbac = await setUp(rule("core", "pods", "get"));
  const rita = rbac.as("rita");
  await rbac.admin.send("POST", roles, role("grows", [rule("core", "pods", "get")], "team"));
  await rita.send("POST", bindings, binding("first", "Role grows", ["User tom"], "team"));
  await rbac.admin.send("PATCH", `${roles}/grows`, { rules: [rule("core", "secrets", "get")] }, merge);
  await assert.rejects(rita.send("POST", bindings, binding("second", "Role grows", ["User tom"], "team")), { reason: "Forbidden" });
  await assert.rejects(rita.send("PATCH", `${bindings}/first`, { subjects: [] }, merge), { reason: "Forbidden" });
});

test("owners and finalizers of what one could not write may be let go of", async () => {
  await using rbac = await setUp();
  const rita = rbac.as("rita");
  const { metadata, ...rest } = role("big", [rule("*", "*", "*")], "team");
  await rbac.admin.send("POST", roles, { ...rest, metadata: { ...metadata, finalizers: ["example.com/hold"] } });
  await rita.send("PATCH", `${roles}/big`, { metadata: { finalizers: null } }, merge);
  await assert.rejects(rita.send("PATCH", `${roles}/big`, { metadata: { labels: { a: "b" } } }, merge), { reason: "Forbidden" });
});

test("escalate and bind allow what they name", async () => {
  await using rbac = await setUp(rbacRule("roles", "escalate"), rbacRule("clusterroles", "bind", "small"));
  const rita = rbac.as("rita");
  for (const name of ["small", "large"]) await rbac.admin.send("POST", clusterRoles, role(name, [rule("core", "nodes", "get")]));
  await rita.send("POST", roles, role("any", [rule("*", "*", "*")], "team"));
  await rita.send("POST", clusterRoleBindings, binding("small", "ClusterRole small", ["User rita"]));
  await assert.rejects(rita.send("POST", clusterRoleBindings, binding("any", "ClusterRole any", ["User rita"])), { reason: "NotFound" });
  await assert.rejects(rita.send("POST", clusterRoles, role("any", [rule("*", "*", "*")])), { reason: "Forbidden" });
});

test("an aggregation rule can gather anything, so it takes everything to write one", async () => {
  await using rbac = await setUp();
  const sum = { ...role("sum", []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } };
  await assert.rejects(rbac.as("rita").send("POST", clusterRoles, sum), /must have cluster-admin privileges to use the aggregationRule /);
  await rbac.admin.send("POST", clusterRoles, sum);
  await assert.rejects(
    rbac.as("rita").send("PATCH", `${clusterRoles}/sum`, { aggregationRule: null }, merge),
    /to use the aggregationRule /,
  );
});

test("members of system:masters may write anything", async () => {
  await using rbac = await setUp();
  await rbac.as("root", "system:masters").send("POST", clusterRoles, role("all", [rule("*", "*", "*")]));
});
