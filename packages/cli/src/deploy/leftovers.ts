import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { ClusterSession } from "../cluster-session.ts";
import type { Doomed } from "./remove-objects.ts";
import { isServed, servedResource } from "./apply-objects.ts";
import { objectName } from "./object-name.ts";

/** The kinds of which an operator may have had one that it no longer has. Definitions are not among them: their objects are the users'. */
const kinds = [
  ["admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"],
  ["admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"],
  ["apiregistration.k8s.io/v1", "APIService"],
  ["apps/v1", "Deployment"],
  ["policy/v1", "PodDisruptionBudget"],
  ["networking.k8s.io/v1", "NetworkPolicy"],
  ["networking.k8s.io/v1", "Ingress"],
  ["scheduling.k8s.io/v1", "PriorityClass"],
  ["v1", "ConfigMap"],
  ["v1", "Service"],
  ["rbac.authorization.k8s.io/v1", "RoleBinding"],
  ["rbac.authorization.k8s.io/v1", "Role"],
  ["rbac.authorization.k8s.io/v1", "ClusterRoleBinding"],
  ["rbac.authorization.k8s.io/v1", "ClusterRole"],
  ["v1", "ServiceAccount"],
  // Not every cluster has these.
  ["monitoring.coreos.com/v1", "ServiceMonitor"],
  ["monitoring.coreos.com/v1", "PrometheusRule"],
  ["cert-manager.io/v1", "Certificate"],
  ["cert-manager.io/v1", "Issuer"],
] as const;

/** Finds what an earlier version of the operator was deployed with and this one is not. What may not be listed is not found. */
export async function findLeftovers(session: ClusterSession, operator: string, wanted: readonly KubeObject[]): Promise<readonly Doomed[]> {
  const names = new Set(wanted.map(objectName));
  const matchLabels = { "app.kubernetes.io/name": operator, "app.kubernetes.io/managed-by": "kaji" };
  const found = await Promise.all(
    kinds.map(async ([apiVersion, kind]): Promise<readonly Doomed[]> => {
      const sought = { apiVersion, kind, metadata: { name: "" } };
      if (!(await isServed(session, sought))) return [];
      const resource = await servedResource(session, sought);
      try {
        const { items } = await session.client.list(resource, { labelSelector: { matchLabels }, signal: session.signal });
        return items.map((item) => ({ resource, live: { ...item, apiVersion, kind } }));
      } catch (error) {
        if (isReason(error, "Forbidden")) return [];
        throw error;
      }
    }),
  );
  // Objects that belong to another, such as EndpointSlices, carry its labels without being ours.
  return found.flat().filter(({ live }) => !names.has(objectName(live)) && (live.metadata.ownerReferences ?? []).length === 0);
}
