import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { as } from "../calls.ts";
import { clusterRoleBindings, clusterRoles, grant, roleBindings, roles, rule, untilAllowed } from "./policy-calls.ts";

const rbac = "rbac.authorization.k8s.io";
const rita = (step: Step): Step => as("rita", step);
const carl = (step: Step): Step => as("carl", step);
const bind = (name: string, kind: string, role: string): JsonObject => ({
  metadata: { name },
  roleRef: { kind, name: role },
  subjects: [{ kind: "User", name: "rita" }],
});

/** Nobody gives what they do not have. */
export const escalationScenarios: readonly Scenario[] = [
  {
    name: "U5 roles and bindings in a namespace",
    steps: [
      ...grant("writer", "rita", [rule(rbac, "roles rolebindings", "create update patch get"), rule("", "pods", "get list")]),
      untilAllowed("rita", { verb: "create", group: rbac, resource: "roles" }),
      rita(roles.create({ metadata: { name: "less" }, rules: [rule("", "pods", "get")] })),
      rita(
        roles.create({
          metadata: { name: "more" },
          rules: [
            rule("", "secrets pods", "get list watch"),
            rule("apps", "deployments", "get"),
            rule("", "configmaps", "get update", "x y"),
          ],
        }),
      ),
      rita(roles.create({ metadata: { name: "more" }, rules: [rule("", "pods/log", "*")] })),
      rita(roles.create({ metadata: { generateName: "more-" }, rules: [rule("*", "*", "*")] })),
      rita(roles.create({ metadata: { name: "more" }, rules: [{ apiGroups: [""], resources: ["secrets"], verbs: [] }] })),
      rita(roles.patch("less", { rules: [rule("", "pods", "get delete")] })),
      rita(roles.patch("less", { metadata: { labels: { a: "b" } } })),
      rita(roles.replace("put", { metadata: { name: "put" }, rules: [rule("", "nodes", "get")] })),
      rita(roles.patch("applied", { apiVersion: `${rbac}/v1`, kind: "Role", rules: [rule("", "nodes", "get")] }, "apply")),
      rita(roleBindings.create(bind("same", "Role", "less"))),
      rita(roleBindings.create(bind("all", "ClusterRole", "cluster-admin"))),
      rita(roleBindings.create(bind("none", "ClusterRole", "access-none"))),
      rita(roleBindings.create(bind("none", "Role", "none"))),
      rita(roleBindings.create(bind("odd", "Thing", "none"))),
      rita(roleBindings.patch("same", { subjects: [{ kind: "User", name: "tom" }] })),
      rita(roleBindings.patch("same", { roleRef: { kind: "ClusterRole", name: "cluster-admin" } })),
      rita(roles.remove("less")),
      rita(clusterRoles.create({ metadata: { name: "access-any" }, rules: [] })),
    ],
  },
  {
    name: "U5 roles and bindings in the whole cluster",
    steps: [
      ...grant(
        "access-writer",
        "carl",
        [rule(rbac, "clusterroles clusterrolebindings", "create update patch get"), { nonResourceURLs: ["/a/*"], verbs: ["get"] }],
        "cluster",
      ),
      untilAllowed("carl", { verb: "create", group: rbac, resource: "clusterroles" }),
      carl(clusterRoles.create({ metadata: { name: "access-paths" }, rules: [{ nonResourceURLs: ["/a/b"], verbs: ["get"] }] })),
      carl(clusterRoles.create({ metadata: { name: "access-path" }, rules: [{ nonResourceURLs: ["/a/b", "/b"], verbs: ["get", "put"] }] })),
      carl(
        clusterRoles.create({
          metadata: { name: "access-sum" },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { access: "yes" } }] },
        }),
      ),
      carl(clusterRoleBindings.create(bind("access-all", "ClusterRole", "cluster-admin"))),
      carl(clusterRoleBindings.create(bind("access-odd", "Role", "cluster-admin"))),
      carl(clusterRoleBindings.create(bind("access-paths", "ClusterRole", "access-paths"))),
      carl(clusterRoles.patch("admin", { metadata: { labels: { access: "yes" } } })),
    ],
  },
  {
    name: "U5 the verbs escalate and bind",
    steps: [
      ...grant("escalator", "eric", [
        rule(rbac, "roles", "create escalate"),
        rule(rbac, "rolebindings", "create"),
        rule(rbac, "clusterroles", "bind", "view"),
      ]),
      untilAllowed("eric", { verb: "escalate", group: rbac, resource: "roles" }),
      as("eric", roles.create({ metadata: { name: "anything" }, rules: [rule("*", "*", "*")] })),
      as("eric", roleBindings.create(bind("viewers", "ClusterRole", "view"))),
      as("eric", roleBindings.create(bind("editors", "ClusterRole", "edit"))),
      as("eric", roleBindings.create(bind("anything", "Role", "anything"))),
    ],
  },
];
