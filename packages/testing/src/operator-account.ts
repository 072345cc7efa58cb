import type { UserInfo } from "@kaji/apiserver";
import type { KubeClient } from "@kaji/client";
import { permissionsOf } from "@kaji/runtime";
import type { Controller, Webhook } from "@kaji/runtime";
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

function rulesOf({ controllers, webhooks }: Declaring): readonly PolicyRule[] {
  const declared = permissionsOf(controllers, webhooks).map(({ apiGroup, resource, resourceNames, verbs }) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    ...(resourceNames === undefined ? {} : { resourceNames }),
    verbs,
  }));
  return [...declared, discovery];
}

/** What `system:discovery` allows every account of a cluster: to ask which kinds there are. */
const discovery: PolicyRule = { nonResourceURLs: ["/api", "/api/*", "/apis", "/apis/*"], verbs: ["get"] };
