import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { OperatorManifests } from "@kaji/manifests";
import { SubjectAccessReview } from "@kaji/types/authorization/v1";
import type { ResourceAttributes } from "@kaji/types/authorization/v1";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from "@kaji/types/rbac/v1";
import { accessRemedy } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import { accessWords, refusedToUser } from "../user-access.ts";
import type { Finding } from "./finding.ts";

/** Whether the user of the kubeconfig may install the operator at all. */
export async function ownFinding(session: ClusterSession): Promise<Finding> {
  const subject = "you";
  const needed = [
    { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" },
    { group: "rbac.authorization.k8s.io", resource: "clusterroles" },
    { group: "apps", resource: "deployments" },
  ];
  const refused = await refusedToUser(
    session,
    needed.map((each) => ({ ...each, verb: "patch" })),
  );
  if (refused.length === 0) return { state: "ok", subject, text: "may install the operator" };
  return {
    state: "problem",
    subject,
    text: `may not write ${refused.map(({ resource }) => resource).join(", ")}`,
    remedy: accessRemedy,
  };
}

/** Whether the operator, as its service account, may do all that its roles are for: what controllers declare, its election and its certificates. */
export async function operatorFinding(
  session: ClusterSession,
  { rbac }: OperatorManifests,
  account: { readonly namespace: string; readonly name: string },
): Promise<Finding> {
  const subject = `service account ${account.namespace}/${account.name}`;
  const refused: ResourceAttributes[] = [];
  try {
    for (const wanted of wantedAccess(rbac)) {
      if (!(await isAllowed(session, account, wanted))) refused.push(wanted);
    }
  } catch (error) {
    if (!isReason(error, "Forbidden")) throw error;
    return {
      state: "unknown",
      subject,
      text: "its permissions could not be asked for",
      remedy: "that takes create on subjectaccessreviews",
    };
  }
  if (refused.length === 0) return { state: "ok", subject, text: "may do all that is declared" };
  return { state: "problem", subject, text: `may not ${accessWords(refused)}`, remedy: "kaji deploy gives it its roles" };
}

/** Everything that the bindings among the objects allow. */
function wantedAccess(rbac: readonly KubeObject[]): readonly ResourceAttributes[] {
  const roles = rbac.filter(isRole);
  return rbac.filter(isBinding).flatMap(({ kind, metadata, roleRef }) => {
    const isIt = (role: ClusterRole | Role): boolean =>
      role.kind === roleRef.kind &&
      role.metadata.name === roleRef.name &&
      (kind === "ClusterRoleBinding" || role.metadata.namespace === metadata.namespace);
    const place = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
    return roles
      .filter(isIt)
      .flatMap(({ rules = [] }) => rules.flatMap(attributesOf))
      .map((attributes) => ({ ...attributes, ...place }));
  });
}

function attributesOf({ apiGroups = [], resources = [], resourceNames = [], verbs }: PolicyRule): readonly ResourceAttributes[] {
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ name }));
  return apiGroups.flatMap((group) =>
    resources.flatMap((each) => {
      const [resource = "", subresource] = each.split("/");
      const part = subresource === undefined ? {} : { subresource };
      return verbs.flatMap((verb) => names.map((name) => ({ group, resource, ...part, verb, ...name })));
    }),
  );
}

function isRole(object: KubeObject): object is ClusterRole | Role {
  return object.kind === "ClusterRole" || object.kind === "Role";
}

function isBinding(object: KubeObject): object is ClusterRoleBinding | RoleBinding {
  return object.kind === "ClusterRoleBinding" || object.kind === "RoleBinding";
}

async function isAllowed(
  { client, signal }: ClusterSession,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  resourceAttributes: ResourceAttributes,
): Promise<boolean> {
  const user = `system:serviceaccount:${namespace}:${name}`;
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  const { status } = await client.create(
    SubjectAccessReview,
    { metadata: { name: "" }, spec: { user, groups, resourceAttributes } },
    { signal },
  );
  return status?.allowed === true;
}
