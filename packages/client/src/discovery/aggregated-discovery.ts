import { formatApiVersion } from "@kaji/core";
import type { DiscoveryResult } from "./discovery-result.ts";
import { listOf, servedResource } from "./served-resource.ts";
import type { MaybeList, ServedResource } from "./served-resource.ts";

/** The form of discovery in which one document describes all groups, and then any that a server without it can answer in. */
export const aggregatedForm: string = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

/** All groups under one root, in one document (KEP-3352). */
export interface AggregatedGroups {
  readonly kind: "APIGroupDiscoveryList";
  readonly items?: MaybeList<{
    readonly metadata?: { readonly name?: string };
    readonly versions?: MaybeList<AggregatedVersion>;
  }>;
}

interface AggregatedVersion {
  readonly version: string;
  /** `Stale` when the server behind an aggregated API did not answer of late. */
  readonly freshness?: string;
  readonly resources?: MaybeList<AggregatedResource>;
}

interface AggregatedResource {
  readonly resource: string;
  /** Absent where only subresources are served. */
  readonly responseKind?: { readonly kind: string };
  readonly scope: string;
  readonly singularResource?: string;
  readonly verbs?: MaybeList<string>;
  readonly shortNames?: MaybeList<string>;
  readonly categories?: MaybeList<string>;
  readonly subresources?: MaybeList<{ readonly subresource: string }>;
}

/** What an aggregated document says. The versions of a group are in the server's order of preference. */
export function readAggregated({ items }: AggregatedGroups): DiscoveryResult {
  const resources: ServedResource[] = [];
  const failures = new Map<string, Error>();
  for (const { metadata, versions } of listOf(items)) {
    for (const { version, freshness, resources: served } of listOf(versions)) {
      const groupVersion = { group: metadata?.name ?? "", version };
      if (freshness === "Stale")
        failures.set(formatApiVersion(groupVersion), new Error("stale discovery: the aggregated API server did not answer"));
      for (const each of listOf(served)) {
        const kind = each.responseKind?.kind ?? "";
        if (kind === "") continue;
        const { resource: plural, singularResource: singular = "", scope, verbs, shortNames, categories, subresources } = each;
        const facts = { plural, singular, kind, isNamespaced: scope === "Namespaced", verbs, shortNames, categories };
        const parts = listOf(subresources).map(({ subresource }) => subresource);
        resources.push(servedResource(groupVersion, facts, parts));
      }
    }
  }
  return { resources, failures };
}
