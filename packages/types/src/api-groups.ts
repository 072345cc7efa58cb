import { groups } from "./generated/tables/discovery.ts";

/** A group with its versions, the preferred one first. */
export interface ApiGroup {
  /** Empty for the core group. */
  readonly group: string;
  readonly versions: readonly ApiGroupVersion[];
}

/** What a server offers in one version of a group. */
export interface ApiGroupVersion {
  readonly version: string;
  readonly resources: readonly ApiResource[];
}

/** A resource as discovery lists it. What is absent is empty, or false. */
export interface ApiResource {
  /** The plural, which is in the path. */
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Changes when the version in which objects are stored does; absent where nothing is stored. */
  readonly storageVersionHash?: string;
  /** Whether a deletion answers with the object rather than a Status. */
  readonly returnsDeleted?: boolean;
  readonly subresources?: readonly ApiSubresource[];
}

/** A path below the objects of a resource. */
export interface ApiSubresource {
  readonly name: string;
  /** Of what is sent and received. Its group and version are those of the resource unless stated. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** Every group and version that a Kubernetes server can serve, in its order of preference. */
export function apiGroups(): readonly ApiGroup[] {
  return groups;
}

/** Whether a server serves this version of a built-in group without being told to: stable versions, and no others. */
export function isServedByDefault(version: string): boolean {
  return /^v\d+$/.test(version);
}
