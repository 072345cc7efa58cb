import type { UserInfo } from "@kaji/apiserver";
import type { KubeClient } from "@kaji/client";
import { permissionsOf, webhookPermissions } from "@kaji/runtime";
import type { Api, Controller, Permission, Webhook } from "@kaji/runtime";
import { ServiceAccount } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kaji/types/rbac/v1";
import type { PolicyRule } from "@kaji/types/rbac/v1";

const name = "operator";
const namespace = "default";

/** Who the operator under test is to the API server. */
export const operatorUser: UserInfo = {
  username: `system:serviceaccount:${namespace}:${name}`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
};

/** What an operator declares, of which its permissions follow. */
interface Declaring {
  readonly controllers: readonly Controller[];
  readonly webhooks: readonly Webhook[];
  readonly apis: readonly Api[];
}

/** Gives the operator an account that may do just what its parts declare: whatever else it tries is refused, in the test as it would be in a cluster. */
export async function createOperatorAccount(client: KubeClient, allowed: Declaring | "Everything"): Promise<void> {
  const rules = allowed === "Everything" ? everything : rulesOf(allowed);
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  await client.apply(ServiceAccount, { metadata: { name, namespace } });
  await client.apply(ClusterRole, { metadata: { name }, rules });
  await client.apply(ClusterRoleBinding, { metadata: { name }, roleRef, subjects: [{ kind: "ServiceAccount", name, namespace }] });
}

const everything = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

function rulesOf({ controllers, webhooks, apis }: Declaring): readonly PolicyRule[] {
  const called = webhookPermissions({ name, namespace, apis, certificateFiles: noFiles });
  const declared = [...permissionsOf(controllers, [...webhooks, ...apis]), ...called].map(ruleOf);
  return [...declared, discovery];
}

function ruleOf({ apiGroup, resource, resourceNames, verbs }: Permission): PolicyRule {
  return { apiGroups: [apiGroup], resources: [resource], ...(resourceNames === undefined ? {} : { resourceNames }), verbs };
}

/** The certificates of a test are not made by the operator. */
const noFiles = { certFile: "", keyFile: "" };

/** What `system:discovery` allows every account of a cluster: to ask which kinds there are. */
const discovery: PolicyRule = { nonResourceURLs: ["/api", "/api/*", "/apis", "/apis/*"], verbs: ["get"] };
