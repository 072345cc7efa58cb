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
