import type { KindRegistry } from "../kind-registry.ts";
import { apiResources, byPreference, groupsOf, versionsOf } from "./api-resources.ts";
import type { ApiResource } from "./api-resources.ts";
import type { RemoteVersion, RemoteVersions } from "./remote-versions.ts";

/** A group, with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly ServedGroupVersion[];
}

/** What there is of a group in one version, here or on another server. */
export interface ServedGroupVersion {
  readonly version: string;
  readonly resources: () => readonly ApiResource[];
  readonly isStale: boolean;
}

/** All groups but the core group, as clients should try them: those of this server as they came, those of others where their priority puts them. */
export function servedGroups(kinds: KindRegistry, remote: RemoteVersions): readonly ServedGroup[] {
  const versions = remote.versions();
  const local = groupsOf(kinds);
  if (versions.length === 0) return local.map((name) => servedGroup(kinds, name, []));
  const names = new Set([...local, ...versions.map(({ group }) => group)]);
  names.delete("");
  const ranked = [...names].map((name) => ({ name, priority: remote.groupPriority(name) ?? Infinity }));
  return ranked.toSorted((left, right) => compare(right.priority, left.priority)).map(({ name }) => servedGroup(kinds, name, versions));
}

/** One group; without versions when it is not served. */
export function servedGroup(kinds: KindRegistry, name: string, remote: readonly RemoteVersion[]): ServedGroup {
  const elsewhere = remote.filter(({ group }) => group === name);
  const here = versionsOf(kinds, name).filter((version) => !elsewhere.some((each) => each.version === version));
  const ranked = elsewhere.toSorted(
    (left, right) => right.versionPriority - left.versionPriority || byPreference(left.version, right.version),
  );
  return {
    name,
    versions: [
      ...here.map((version) => ({ version, resources: () => apiResources(kinds, name, version), isStale: false })),
      ...ranked.map(({ version, resources, isStale }) => ({ version, resources: () => resources, isStale })),
    ],
  };
}

/** Infinity is no more than itself. */
function compare(left: number, right: number): number {
  return left === right ? 0 : left - right;
}
