import type { LocalApi } from "../upkeep/local-api.ts";
import { metricsVersion } from "./resource-metrics.ts";

const aggregate = "rbac.authorization.k8s.io/aggregate-to-";

/** Lets whoever may look at pods read their metrics, too: makes the role that metrics-server comes with, unless it is there. */
export async function createMetricsRole(api: LocalApi): Promise<void> {
  const labels = Object.fromEntries(["admin", "edit", "view"].map((role) => [`${aggregate}${role}`, "true"]));
  const role = {
    metadata: { name: "system:aggregated-metrics-reader", labels },
    rules: [{ apiGroups: [metricsVersion.group], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] }],
  };
  await api.ensure("/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
}
