import { SelfSubjectAccessReview } from "@kaji/types/authorization/v1";
import type { ResourceAttributes } from "@kaji/types/authorization/v1";
import type { ClusterSession } from "./cluster-session.ts";

/** What of all that is needed the user of the kubeconfig may not do. */
export async function refusedToUser(
  { client, signal }: ClusterSession,
  needed: readonly ResourceAttributes[],
): Promise<readonly ResourceAttributes[]> {
  const refused: ResourceAttributes[] = [];
  for (const resourceAttributes of needed) {
    const review = { metadata: { name: "" }, spec: { resourceAttributes } };
    const { status } = await client.create(SelfSubjectAccessReview, review, { signal });
    if (status?.allowed !== true) refused.push(resourceAttributes);
  }
  return refused;
}

/** `get,list deployments, patch deployments/status in team-a, team-b; create leases in bars-system`. */
export function accessWords(refused: readonly ResourceAttributes[]): string {
  const byNamespace = Map.groupBy(refused, ({ namespace = "" }) => namespace);
  const places = Map.groupBy(byNamespace, ([, attributes]) => verbsByResource(attributes));
  return [...places]
    .map(([words, entries]) => {
      const namespaces = entries.map(([namespace]) => namespace).filter((namespace) => namespace !== "");
      return namespaces.length === 0 ? words : `${words} in ${namespaces.join(", ")}`;
    })
    .join("; ");
}

/** `get,list deployments, patch deployments/status`. */
function verbsByResource(attributes: readonly ResourceAttributes[]): string {
  const byResource = Map.groupBy(attributes, ({ resource = "", subresource }) =>
    subresource === undefined ? resource : `${resource}/${subresource}`,
  );
  return [...byResource].map(([resource, each]) => `${[...new Set(each.map(({ verb = "" }) => verb))].join()} ${resource}`).join(", ");
}
