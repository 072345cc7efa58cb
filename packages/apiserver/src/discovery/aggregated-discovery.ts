import type { KindRegistry } from "../kind-registry.ts";
import { apiResources, groupsOf, versionsOf } from "./api-resources.ts";
import type { ApiResource } from "./api-resources.ts";

/** All groups of one root, `/api` or `/apis`, in one document. */
export function aggregatedDiscovery(kinds: KindRegistry, root: "/api" | "/apis"): Readonly<Record<string, unknown>> {
  const groups = root === "/api" ? [""] : groupsOf(kinds);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versionsOf(kinds, group).map((version) => ({
        version,
        resources: nested(apiResources(kinds, group, version)),
        freshness: "Current",
      })),
    })),
  };
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
