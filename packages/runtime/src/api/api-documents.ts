import { refusal } from "@kaji/core";
import type { Api } from "./served-api.ts";

/** Which form of discovery somebody asks for: a document for each group and version, or all in one. */
export type DiscoveryForm = "Aggregated" | "Plain";

/** What discovery says of APIs: `/apis`, `/apis/GROUP` and `/apis/GROUP/VERSION`. Throws a 404 at any other path. */
export function apiDocument(apis: readonly Api[], path: string, form: DiscoveryForm): object {
  const [root, group, version, ...rest] = path.split("/").filter((segment) => segment !== "");
  const groups = [...Map.groupBy(apis, ({ resource }) => resource.group)].map(([name, served]) => ({ name, versions: versionsOf(served) }));
  const found = groups.find(({ name }) => name === group);
  const resources = found?.versions.get(version ?? "");
  if (root !== "apis" || rest.length > 0) throw nothingAt(path);
  if (group === undefined) {
    return form === "Aggregated"
      ? aggregated(groups)
      : { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(({ name, versions }) => groupOf(name, versions)) };
  }
  if (found === undefined || (version !== undefined && resources === undefined)) throw nothingAt(path);
  if (resources === undefined) return { kind: "APIGroup", apiVersion: "v1", ...groupOf(found.name, found.versions) };
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${group}/${version}`, resources: resources.map(resourceOf) };
}

type Versions = ReadonlyMap<string, readonly Api[]>;

function versionsOf(apis: readonly Api[]): Versions {
  return Map.groupBy(apis, ({ resource }) => resource.version);
}

function groupOf(name: string, versions: Versions): object {
  const listed = Array.from(versions.keys(), (version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

function resourceOf(api: Api): object {
  const { resource, verbs } = api;
  const { plural, singular, scope, kind } = resource;
  return { name: plural, singularName: singular, namespaced: scope === "Namespaced", kind, verbs, ...otherNames(api) };
}

function otherNames({ shortNames, categories }: Api): object {
  return { ...(shortNames.length === 0 ? {} : { shortNames }), ...(categories.length === 0 ? {} : { categories }) };
}

function aggregated(groups: readonly { readonly name: string; readonly versions: Versions }[]): object {
  const items = groups.map(({ name, versions }) => ({
    metadata: { name },
    versions: Array.from(versions, ([version, apis]) => ({ version, resources: aggregatedResources(apis), freshness: "Current" })),
  }));
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
}

/** Each with what is served below it, as the metrics of its objects are, which are served without them. */
function aggregatedResources(apis: readonly Api[]): readonly object[] {
  const byResource = Map.groupBy(apis, ({ resource }) => resource.plural.split("/", 1)[0]);
  return Array.from(byResource, ([plural, served]) => {
    const own = served.find(({ resource }) => resource.plural === plural);
    const subresources = served.flatMap(({ resource, verbs }) => {
      const [, subresource] = resource.plural.split("/");
      return subresource === undefined ? [] : [{ subresource, responseKind: responseKind(resource), verbs }];
    });
    return {
      resource: plural,
      scope: served[0]?.resource.scope,
      responseKind: own === undefined ? { group: "", version: "", kind: "" } : responseKind(own.resource),
      singularResource: own?.resource.singular ?? "",
      verbs: own?.verbs ?? [],
      ...(own && otherNames(own)),
      ...(subresources.length === 0 ? {} : { subresources }),
    };
  });
}

function responseKind({ group, version, kind }: Api["resource"]): object {
  return { group, version, kind };
}

/** 404: there is nothing at a path. */
export function nothingAt(path: string): Error {
  return refusal("NotFound", `there is nothing at ${path}`);
}
