import { createHash } from "node:crypto";
import { formatApiVersion } from "@kaji/core";
import type { Kind, KindVersion } from "../kind.ts";
import type { Subresource } from "../subresource.ts";
import type { KindRegistry } from "../kind-registry.ts";

/** A kind, or a subresource of one, as the plain form of discovery lists it. */
export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** What one version of a group serves, kinds sorted by name, each followed by its subresources. */
export function apiResources(kinds: KindRegistry, group: string, version: string): readonly ApiResource[] {
  return kinds.kinds
    .filter((kind) => kind.group === group)
    .flatMap((kind) => kind.versions.filter((each) => each.version === version).map((each) => ({ kind, version: each })))
    .toSorted((left, right) => (left.kind.plural < right.kind.plural ? -1 : 1))
    .flatMap(({ kind, version: each }) => [kindResource(kind, each), ...subresources(kind, each)]);
}

/** The versions of a group, the preferred one first. */
export function versionsOf(kinds: KindRegistry, group: string): readonly string[] {
  const versions = new Set(
    kinds.kinds.filter((kind) => kind.group === group).flatMap((kind) => kind.versions.map(({ version }) => version)),
  );
  return [...versions].toSorted(byPreference);
}

/** The groups, in the order they came, but for the core group, which has a path of its own. */
export function groupsOf(kinds: KindRegistry): readonly string[] {
  return [...new Set(kinds.kinds.map(({ group }) => group))].filter((group) => group !== "");
}

function kindResource(kind: Kind, version: KindVersion): ApiResource {
  const isStored = kind.verbs.includes("get") && kind.verbs.includes("create");
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.scope === "Namespaced",
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(isStored && version.answer === undefined ? { storageVersionHash: storageVersionHash(kind) } : {}),
  };
}

function subresources(kind: Kind, version: KindVersion): readonly ApiResource[] {
  const named = Object.entries(version.subresources);
  // Those of custom kinds come as they were added.
  const ordered = kind.isCustom ? named : named.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return ordered.map(([name, subresource]) => ({
    name: `${kind.plural}/${name}`,
    singularName: "",
    namespaced: kind.scope === "Namespaced",
    ...foreignType(kind, version, subresource),
    verbs: verbsOf(subresource),
  }));
}

/** The type a subresource speaks, with its group and version where they are not those of the kind. */
function foreignType(kind: Kind, { version }: KindVersion, subresource: Subresource): Pick<ApiResource, "group" | "version" | "kind"> {
  switch (subresource.type) {
    case "Text":
    case "Update":
      return { kind: kind.kind };
    case "Connect":
    case "Proxy":
      return { kind: subresource.kind };
    case "Scale":
      return { group: "autoscaling", version: "v1", kind: "Scale" };
    case "Action": {
      const isOwn = subresource.group === kind.group && subresource.version === version;
      return { ...(isOwn ? {} : { group: subresource.group, version: subresource.version }), kind: subresource.kind };
    }
    default:
      return subresource satisfies never;
  }
}

function verbsOf(subresource: Subresource): readonly string[] {
  if (subresource.type === "Action") return ["create"];
  if (subresource.type === "Text") return ["get"];
  if (subresource.type === "Connect") return ["create", "get"];
  if (subresource.type === "Proxy") return ["create", "delete", "get", "patch", "update"];
  return subresource.type === "Scale" ? ["get", "patch", "update"] : subresource.verbs;
}

/** As the real server computes it, so that a storage migration tool sees no difference. */
function storageVersionHash({ kind, storageVersion }: Kind): string {
  const name = storageVersion.includes("/") ? `${storageVersion}/${kind}` : `/${storageVersion}/${kind}`;
  return createHash("sha256").update(name).digest().subarray(0, 8).toString("base64");
}

/** Kubernetes' own order: stable before beta before alpha, each by falling number; other names last, by alphabet. */
export function byPreference(left: string, right: string): number {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)];
  if (leftRank === undefined || rightRank === undefined) {
    if (leftRank === rightRank) return left < right ? -1 : 1;
    return leftRank === undefined ? 1 : -1;
  }
  const difference = leftRank.findIndex((value, index) => value !== rightRank[index]);
  return difference < 0 ? 0 : (rightRank[difference] ?? 0) - (leftRank[difference] ?? 0);
}

function rankOf(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  const stability = stage === undefined ? 2 : stage === "beta" ? 1 : 0;
  return [stability, Number(major), Number(minor ?? 0)];
}

/** `GroupVersionForDiscovery`. */
export function groupVersion(group: string, version: string): { readonly groupVersion: string; readonly version: string } {
  return { groupVersion: formatApiVersion({ group, version }), version };
}
