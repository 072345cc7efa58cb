import type { ApiResource } from "./api-resources.ts";
import type { ServedGroup } from "./served-groups.ts";

/** Groups with all that is in them, in one document. */
export function aggregatedDiscovery(groups: readonly ServedGroup[]): Readonly<Record<string, unknown>> {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map(({ version, resources, isStale }) => ({
        version,
        ...listed(nested(resources())),
        freshness: isStale ? "Stale" : "Current",
      })),
    })),
  };
}

/** A server that has never answered is not said to serve nothing. */
function listed(resources: readonly unknown[]): Readonly<Record<string, unknown>> {
  return resources.length === 0 ? {} : { resources };
}

/** Subresources stand below their kind here, rather than beside it. */
function nested(resources: readonly ApiResource[]): readonly Readonly<Record<string, unknown>>[] {
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => {
      const { name, kind, verbs, namespaced, singularName, shortNames, categories } = resource;
      const below = resources.filter((each) => each.name.startsWith(`${name}/`));
      return {
        resource: name,
        responseKind: { group: "", version: "", kind },
        scope: namespaced ? "Namespaced" : "Cluster",
        singularResource: singularName,
        verbs,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
        ...(below.length === 0 ? {} : { subresources: below.map((each) => subresource(each, name)) }),
      };
    });
}

function subresource({ name, group = "", version = "", kind, verbs }: ApiResource, parent: string): Readonly<Record<string, unknown>> {
  return { subresource: name.slice(parent.length + 1), responseKind: { group, version, kind }, verbs };
}
