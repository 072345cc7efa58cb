// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { LabelSelector, ObjectMeta, Resource } from "@kaji/core";
import type { PersistentVolumeReclaimPolicy, PersistentVolumeSpec, TopologySelectorTerm } from "../core/v1.ts";

/** An object of the kind CSIDriver in storage.k8s.io/v1. */
export interface CSIDriver {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "CSIDriver";
  readonly metadata: ObjectMeta;
  readonly spec: CSIDriverSpec;
}

/** The resource csidrivers in storage.k8s.io/v1. */
export const CSIDriver: Resource<CSIDriver> = resource({ group: "storage.k8s.io", version: "v1", kind: "CSIDriver", plural: "csidrivers", scope: "Cluster" });

export interface CSIDriverSpec {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly volumeLifecycleModes?: readonly string[];
  readonly storageCapacity?: boolean;
  readonly fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly preventPodSchedulingIfMissing?: boolean;
}

/** An object of the kind CSINode in storage.k8s.io/v1. */
export interface CSINode {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "CSINode";
  readonly metadata: ObjectMeta;
  readonly spec: CSINodeSpec;
}

/** The resource csinodes in storage.k8s.io/v1. */
export const CSINode: Resource<CSINode> = resource({ group: "storage.k8s.io", version: "v1", kind: "CSINode", plural: "csinodes", scope: "Cluster" });

export interface CSINodeDriver {
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[];
  readonly allocatable?: VolumeNodeResources;
}

export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[];
}

/** An object of the kind CSIStorageCapacity in storage.k8s.io/v1. */
export interface CSIStorageCapacity {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "CSIStorageCapacity";
  readonly metadata: ObjectMeta;
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
}

/** The resource csistoragecapacities in storage.k8s.io/v1. */
export const CSIStorageCapacity: Resource<CSIStorageCapacity> = resource({ group: "storage.k8s.io", version: "v1", kind: "CSIStorageCapacity", plural: "csistoragecapacities", scope: "Namespaced" });

/** An object of the kind StorageClass in storage.k8s.io/v1. */
export interface StorageClass {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "StorageClass";
  readonly metadata: ObjectMeta;
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: PersistentVolumeReclaimPolicy;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  readonly volumeBindingMode?: VolumeBindingMode;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
}

/** The resource storageclasses in storage.k8s.io/v1. */
export const StorageClass: Resource<StorageClass> = resource({ group: "storage.k8s.io", version: "v1", kind: "StorageClass", plural: "storageclasses", scope: "Cluster" });

export interface TokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number;
}

/** An object of the kind VolumeAttachment in storage.k8s.io/v1. */
export interface VolumeAttachment {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "VolumeAttachment";
  readonly metadata: ObjectMeta;
  readonly spec: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
}

/** The resource volumeattachments in storage.k8s.io/v1. */
export const VolumeAttachment: Resource<VolumeAttachment> = resource({ group: "storage.k8s.io", version: "v1", kind: "VolumeAttachment", plural: "volumeattachments", scope: "Cluster" });

export interface VolumeAttachmentSource {
  readonly persistentVolumeName?: string;
  readonly inlineVolumeSpec?: PersistentVolumeSpec;
}

export interface VolumeAttachmentSpec {
  readonly attacher: string;
  readonly source: VolumeAttachmentSource;
  readonly nodeName: string;
}

export interface VolumeAttachmentStatus {
  readonly attached: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
}

/** An object of the kind VolumeAttributesClass in storage.k8s.io/v1. */
export interface VolumeAttributesClass {
  readonly apiVersion: "storage.k8s.io/v1";
  readonly kind: "VolumeAttributesClass";
  readonly metadata: ObjectMeta;
  readonly driverName: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The resource volumeattributesclasses in storage.k8s.io/v1. */
export const VolumeAttributesClass: Resource<VolumeAttributesClass> = resource({ group: "storage.k8s.io", version: "v1", kind: "VolumeAttributesClass", plural: "volumeattributesclasses", scope: "Cluster" });

export type VolumeBindingMode = "Immediate" | "WaitForFirstConsumer";

export interface VolumeError {
  readonly time?: string;
  readonly message?: string;
  readonly errorCode?: number;
}

export interface VolumeNodeResources {
  readonly count?: number;
}
