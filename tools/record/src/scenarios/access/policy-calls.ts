import type { JsonObject } from "@kaji/core";
import type { Step } from "../../exchange.ts";
import { as, callsTo } from "../calls.ts";
import type { Calls } from "../calls.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** The namespace of the recording. */
const namespace = "access";
/** ConfigMaps of the namespace, on which most is tried. */
export const configMaps: Calls = callsTo(`/api/v1/namespaces/${namespace}/configmaps`);
/** Roles of the namespace. */
export const roles: Calls = callsTo(`${rbac}/namespaces/${namespace}/roles`);
/** RoleBindings of the namespace. */
export const roleBindings: Calls = callsTo(`${rbac}/namespaces/${namespace}/rolebindings`);
/** ClusterRoles. */
export const clusterRoles: Calls = callsTo(`${rbac}/clusterroles`);
/** ClusterRoleBindings. */
export const clusterRoleBindings: Calls = callsTo(`${rbac}/clusterrolebindings`);

/** A rule for resources. */
export function rule(group: string, resources: string, verbs: string, names?: string): JsonObject {
  const resourceNames = names === undefined ? {} : { resourceNames: names.split(" ") };
  return { apiGroups: [group], resources: resources.split(" "), verbs: verbs.split(" "), ...resourceNames };
}

/** Gives a user a role of the same name in the namespace, or with `cluster` in the whole cluster. */
export function grant(
  name: string,
  user: string,
  rules: readonly JsonObject[],
  scope: "cluster" | "namespace" = "namespace",
): readonly Step[] {
  const subjects = [{ kind: "User", name: user }];
  if (scope === "cluster") {
    return [
      clusterRoles.create({ metadata: { name }, rules }),
      clusterRoleBindings.create({ metadata: { name }, roleRef: { kind: "ClusterRole", name }, subjects }),
    ];
  }
  return [
    roles.create({ metadata: { name }, rules }),
    roleBindings.create({ metadata: { name }, roleRef: { kind: "Role", name }, subjects }),
  ];
}

/** Waits until a real server, which follows its own objects with a delay, answers with this. */
export function soon(step: Step, until: string): Step {
  return { ...step, until };
}

/** Asks as a user whether they may do something in the namespace, until they may. */
export function untilAllowed(user: string, attributes: JsonObject): Step {
  const body = { spec: { resourceAttributes: { namespace, ...attributes } } };
  const step: Step = { method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body };
  return soon(as(user, step), '"allowed":true');
}
