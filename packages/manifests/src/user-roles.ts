import type { ResourceDefinition } from "@kaji/core/define";
import type { ClusterRole } from "@kaji/types/rbac/v1";
import { broughtResources } from "./brought-resources.ts";
import type { Plan } from "./manifest-options.ts";

/** What people may be given on the operator's resources, by what they are to do with them. */
const userVerbs = {
  admin: ["*"],
  editor: ["get", "list", "watch", "create", "update", "patch", "delete"],
  viewer: ["get", "list", "watch"],
} as const;

/** What they may do with the scale of one that can be scaled. */
const scaleVerbs = { admin: ["get", "update", "patch"], editor: ["get", "update", "patch"], viewer: ["get"] } as const;

const aggregationLabel = "rbac.authorization.k8s.io/aggregate-to-";

/** The role of Kubernetes that each of ours becomes part of. */
const aggregated = { admin: "admin", editor: "edit", viewer: "view" } as const;

/** For each resource a role to administer, to edit and to view it; users with the cluster's own roles of that rank have it at once, unless the resource says otherwise. */
export function userRoles(plan: Plan): readonly ClusterRole[] {
  const { operator, name, labels } = plan;
  const all = broughtResources(operator);
  const brought = all.flatMap((resource) => {
    const { group, plural, singular } = resource;
    const isAlone = all.filter((each) => each.singular === singular).length === 1;
    const subject = isAlone ? singular : `${singular}.${group}`;
    return (["admin", "editor", "viewer"] as const).map((rank): ClusterRole => {
      const isAggregated = resource.userAccess === "edit" || (resource.userAccess === "view" && rank === "viewer");
      const aggregation = isAggregated ? { [`${aggregationLabel}${aggregated[rank]}`]: "true" } : {};
      return {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: `${name}-${subject}-${rank}`, labels: { ...labels, ...aggregation } },
        rules: [
          { apiGroups: [group], resources: [plural], verbs: userVerbs[rank] },
          { apiGroups: [group], resources: [`${plural}/status`], verbs: ["get"] },
          ...(canBeScaled(resource) ? [{ apiGroups: [group], resources: [`${plural}/scale`], verbs: scaleVerbs[rank] }] : []),
        ],
      };
    });
  });
  return [...brought, ...servedRoles(plan)];
}

/** For each kind that the operator serves by itself a role to view it. Users with the cluster's own role of that rank have it at once, unless the resource says otherwise, but for metrics, which are for those that scale by them. */
function servedRoles({ operator, name, labels }: Plan): readonly ClusterRole[] {
  const known = new Set(broughtResources(operator).map(({ singular }) => singular));
  return operator.apis.map(({ resource, verbs, isViewed }): ClusterRole => {
    const { group, plural, singular } = resource;
    const isAlone = !known.has(singular) && operator.apis.filter((each) => each.resource.singular === singular).length === 1;
    const aggregation = isViewed ? { [`${aggregationLabel}view`]: "true" } : {};
    return {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: `${name}-${isAlone ? singular : `${singular}.${group}`}-viewer`, labels: { ...labels, ...aggregation } },
      rules: [{ apiGroups: [group], resources: [plural], verbs }],
    };
  });
}

function canBeScaled(resource: ResourceDefinition): boolean {
  return resource.crd().spec.versions.some(({ subresources }) => subresources?.scale !== undefined);
}
