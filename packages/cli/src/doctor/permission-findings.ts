import { isReason } from "@kaji/core";
import { permissionsOf } from "@kaji/runtime";
import type { OperatorDefinition, Permission } from "@kaji/runtime";
import { SelfSubjectAccessReview, SubjectAccessReview } from "@kaji/types/authorization/v1";
import type { ClusterSession } from "../cluster-session.ts";
import type { Finding } from "./finding.ts";

/** Whether whoever asks may install the operator at all. */
export async function ownFinding(session: ClusterSession): Promise<Finding> {
  const subject = "you";
  const needed = [
    { apiGroup: "apiextensions.k8s.io", resource: "customresourcedefinitions" },
    { apiGroup: "rbac.authorization.k8s.io", resource: "clusterroles" },
    { apiGroup: "apps", resource: "deployments" },
  ];
  const refused: string[] = [];
  for (const { apiGroup, resource } of needed) {
    const resourceAttributes = { group: apiGroup, resource, verb: "patch" };
    const { status } = await session.client.create(
      SelfSubjectAccessReview,
      { metadata: { name: "" }, spec: { resourceAttributes } },
      { signal: session.signal },
    );
    if (status?.allowed !== true) refused.push(resource);
  }
  if (refused.length === 0) return { state: "ok", subject, text: "may install the operator" };
  return {
    state: "problem",
    subject,
    text: `may not write ${refused.join(", ")}`,
    remedy: "use a context of somebody who may, or ask for the permission",
  };
}

/** Whether the operator, as its service account, may do all that its controllers declare. */
export async function operatorFinding(
  session: ClusterSession,
  { name, controllers }: OperatorDefinition,
  namespace: string,
): Promise<Finding> {
  const user = `system:serviceaccount:${namespace}:${name}`;
  const subject = `service account ${namespace}/${name}`;
  const refused: string[] = [];
  try {
    for (const permission of permissionsOf(controllers)) {
      for (const verb of permission.verbs)
        if (!(await isAllowed(session, user, namespace, permission, verb))) refused.push(`${verb} ${permission.resource}`);
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
  return { state: "problem", subject, text: `may not ${refused.join(", ")}`, remedy: "kaji deploy gives it its roles" };
}

async function isAllowed(
  { client, signal }: ClusterSession,
  user: string,
  namespace: string,
  { apiGroup, resource }: Permission,
  verb: string,
): Promise<boolean> {
  const [plural = "", subresource] = resource.split("/");
  const resourceAttributes = { group: apiGroup, resource: plural, verb, ...(subresource === undefined ? {} : { subresource }) };
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  const { status } = await client.create(
    SubjectAccessReview,
    { metadata: { name: "" }, spec: { user, groups, resourceAttributes } },
    { signal },
  );
  return status?.allowed === true;
}
