import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A group with its versions, the preferred one first. */
export interface GroupFact {
  readonly group: string;
  readonly versions: readonly VersionFact[];
}

/** What a server offers in one version of a group. */
interface VersionFact {
  readonly version: string;
  readonly resources: readonly ResourceFact[];
}

/** A resource as discovery lists it. */
export interface ResourceFact {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  /** Whether a deletion answers with the object. */
  readonly returnsDeleted?: true;
  readonly subresources?: readonly SubresourceFact[];
}

/** A path below the objects of a resource. */
interface SubresourceFact {
  readonly name: string;
  /** Of what is sent and received; the group and version are absent where they are those of the resource. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

interface ApiResource {
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

interface ApiGroupList {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

/** Reads what a server with every version enabled publishes, the groups in its order of preference. */
export function readDiscovery(kubernetes: string, pathsReturningDeleted: ReadonlySet<string>): readonly GroupFact[] {
  const folder = join(kubernetes, "api/discovery");
  const { groups } = readJson(join(folder, "apis.json")) as ApiGroupList;
  const readVersion = (root: string, version: string): VersionFact => {
    const { resources } = readJson(join(folder, `${root.slice(1).replaceAll("/", "__")}.json`)) as {
      readonly resources: readonly ApiResource[];
    };
    return { version, resources: resourceFacts(resources, root, pathsReturningDeleted) };
  };
  return [
    { group: "", versions: [readVersion("/api/v1", "v1")] },
    ...groups.map(({ name, versions }) => ({
      group: name,
      versions: versions.map(({ version }) => readVersion(`/apis/${name}/${version}`, version)),
    })),
  ];
}

/** Whether a server serves the version without being told to. Since 1.24 no new beta version is. */
export function isServedByDefault(version: string): boolean {
  return /^v\d+$/.test(version);
}

function resourceFacts(
  resources: readonly ApiResource[],
  root: string,
  pathsReturningDeleted: ReadonlySet<string>,
): readonly ResourceFact[] {
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, singularName, namespaced, kind, verbs, shortNames, categories, storageVersionHash }) => {
      const subresources = resources.filter((candidate) => candidate.name.startsWith(`${name}/`)).map(subresourceFact);
      const path = `${root}/${namespaced ? "namespaces/{namespace}/" : ""}${name}/{name}`;
      return {
        name,
        kind,
        singular: singularName,
        namespaced,
        verbs,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
        ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
        ...(pathsReturningDeleted.has(path) ? { returnsDeleted: true } : {}),
        ...(subresources.length === 0 ? {} : { subresources }),
      };
    });
}

function subresourceFact({ name, kind, group, version, verbs }: ApiResource): SubresourceFact {
  return {
    name: name.slice(name.indexOf("/") + 1),
    kind,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    verbs,
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
