// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

export interface APIGroup {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion?: GroupVersionForDiscovery;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
}

export interface APIGroupList {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly groups: readonly APIGroup[];
}

export interface APIResource {
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

export interface APIResourceList {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly groupVersion: string;
  readonly resources: readonly APIResource[];
}

export interface APIVersions {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly versions: readonly string[];
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[];
}

export interface DeleteOptions {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface ServerAddressByClientCIDR {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

export interface ShardInfo {
  readonly selector: string;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}
