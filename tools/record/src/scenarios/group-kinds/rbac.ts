import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const roles = callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/group-kinds/roles");
const roleBindings = callsTo("/apis/rbac.authorization.k8s.io/v1/namespaces/group-kinds/rolebindings");
const clusterRoles = callsTo("/apis/rbac.authorization.k8s.io/v1/clusterroles");
const clusterRoleBindings = callsTo("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings");

const readPods = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };

/** Role, ClusterRole, RoleBinding, ClusterRoleBinding. */
export const rbacScenarios: readonly Scenario[] = [
  {
    name: "C5 C14 X2 roles",
    steps: [
      roles.create({ metadata: { name: "system:reader" }, rules: [readPods] }),
      roles.create({ metadata: { name: "empty" } }),
      roles.table(),
      roles.patch("empty", { rules: [readPods] }),
      roles.replace("made", { metadata: { name: "made" }, rules: [] }),
      roles.create({
        metadata: { name: "bad" },
        rules: [{ verbs: [] }, { verbs: ["get"], nonResourceURLs: ["/metrics"], resources: ["pods"] }],
      }),
      roles.create({ metadata: { name: "a/b" } }),
      clusterRoles.create({ metadata: { name: "group-metrics" }, rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }] }),
      clusterRoles.create({ metadata: { name: "group-sum" }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
      clusterRoles.create({ metadata: { name: "group-bad" }, aggregationRule: {} }),
      clusterRoles.create({ metadata: { name: "group-bad" }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b c" } }] } }),
      clusterRoles.table("group-metrics"),
      clusterRoles.remove("group-sum"),
    ],
  },
  {
    name: "C5 C13 C14 X2 role bindings",
    steps: [
      roleBindings.create({
        metadata: { name: "readers" },
        roleRef: { kind: "Role", name: "reader" },
        subjects: [
          { kind: "User", name: "ann" },
          { kind: "Group", name: "admins" },
          { kind: "ServiceAccount", name: "robot", namespace: "group-kinds" },
        ],
      }),
      roleBindings.table(),
      roleBindings.patch("readers", { roleRef: { name: "writer" } }),
      roleBindings.patch("readers", { subjects: [{ kind: "User", name: "bob" }] }),
      roleBindings.create({
        metadata: { name: "bad" },
        roleRef: { kind: "Thing", name: "a/b" },
        subjects: [{ kind: "Robot", name: "x" }, { kind: "User" }, { kind: "ServiceAccount", name: "A", apiGroup: "x" }],
      }),
      roleBindings.create({ metadata: { name: "bad" }, roleRef: { apiGroup: "other", kind: "Role" } }),
      clusterRoleBindings.create({
        metadata: { name: "group-all" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "ServiceAccount", name: "s", namespace: "n" }],
      }),
      clusterRoleBindings.create({
        metadata: { name: "group-bad" },
        roleRef: { kind: "Role", name: "r" },
        subjects: [{ kind: "ServiceAccount", name: "s" }],
      }),
      clusterRoleBindings.table("group-all"),
      clusterRoleBindings.remove("group-all"),
    ],
  },
];
