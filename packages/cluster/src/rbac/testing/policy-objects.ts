import type { DynamicObject, JsonObject } from "@kaji/core";

const apiVersion = "rbac.authorization.k8s.io/v1";

/** A ClusterRole, or with a namespace a Role. */
export function role(name: string, rules: readonly JsonObject[], namespace?: string): DynamicObject {
  return {
    apiVersion,
    kind: namespace === undefined ? "ClusterRole" : "Role",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules,
  };
}

/** A ClusterRoleBinding, or with a namespace a RoleBinding. Subjects are `User bob`, `Group staff` and `ServiceAccount ns/robot`. */
export function binding(name: string, roleRef: string, subjects: readonly string[], namespace?: string): DynamicObject {
  const [roleKind = "", roleName = ""] = roleRef.split(" ");
  return {
    apiVersion,
    kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: roleKind, name: roleName },
    subjects: subjects.map(subjectOf),
  };
}

/** A rule for resources: the groups, resources, verbs and names are separated by spaces; the core group is `core`. */
export function rule(groups: string, resources: string, verbs: string, names?: string): JsonObject {
  return {
    apiGroups: groups.split(" ").map((group) => (group === "core" ? "" : group)),
    resources: resources.split(" "),
    verbs: verbs.split(" "),
    ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
  };
}

/** Where such an object is kept. */
export function keyOf({ kind, metadata: { namespace, name } }: DynamicObject): string {
  return `/registry/${kind.toLowerCase()}s/${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

function subjectOf(text: string): JsonObject {
  const [kind = "", name = ""] = text.split(" ");
  if (kind !== "ServiceAccount") return { kind, apiGroup: "rbac.authorization.k8s.io", name };
  const [first = "", second] = name.split("/");
  return second === undefined ? { kind, name: first } : { kind, namespace: first, name: second };
}
