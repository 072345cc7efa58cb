// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { Condition, ObjectMeta, Resource } from "@kaji/core";
import type { NodeSelector } from "../core/v1.ts";

export interface AllocatedDeviceStatus {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string;
  readonly conditions?: readonly Condition[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly networkData?: NetworkDeviceData;
}

export type AllocationConfigSource = "FromClaim" | "FromClass";

export interface AllocationResult {
  readonly devices?: DeviceAllocationResult;
  readonly nodeSelector?: NodeSelector;
  readonly allocationTimestamp?: string;
}

export interface CELDeviceSelector {
  readonly expression: string;
}

export interface CapacityRequestPolicy {
  readonly default?: string;
  readonly validValues?: readonly string[];
  readonly validRange?: CapacityRequestPolicyRange;
}

export interface CapacityRequestPolicyRange {
  readonly min: string;
  readonly max?: string;
  readonly step?: string;
}

export interface CapacityRequirements {
  readonly requests?: Readonly<Record<string, string>>;
}

export interface Counter {
  readonly value: string;
}

export interface CounterSet {
  readonly name: string;
  readonly counters: Readonly<Record<string, Counter>>;
}

export interface Device {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
  readonly nodeAllocatableResourceMappings?: Readonly<Record<string, NodeAllocatableResourceMapping>>;
}

export interface DeviceAllocationConfiguration {
  readonly source: AllocationConfigSource;
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
}

export type DeviceAllocationMode = "All" | "ExactCount";

export interface DeviceAllocationResult {
  readonly results?: readonly DeviceRequestAllocationResult[];
  readonly config?: readonly DeviceAllocationConfiguration[];
}

export interface DeviceAttribute {
  readonly int?: number;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly number[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

export interface DeviceCapacity {
  readonly value: string;
  readonly requestPolicy?: CapacityRequestPolicy;
}

export interface DeviceClaim {
  readonly requests?: readonly DeviceRequest[];
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly DeviceClaimConfiguration[];
}

export interface DeviceClaimConfiguration {
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** An object of the kind DeviceClass in resource.k8s.io/v1. */
export interface DeviceClass {
  readonly apiVersion: "resource.k8s.io/v1";
  readonly kind: "DeviceClass";
  readonly metadata: ObjectMeta;
  readonly spec: DeviceClassSpec;
}

/** The resource deviceclasses in resource.k8s.io/v1. */
export const DeviceClass: Resource<DeviceClass> = resource({ group: "resource.k8s.io", version: "v1", kind: "DeviceClass", plural: "deviceclasses", scope: "Cluster" });

export interface DeviceClassConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration;
}

export interface DeviceClassSpec {
  readonly selectors?: readonly DeviceSelector[];
  readonly config?: readonly DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
}

export interface DeviceConstraint {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

export interface DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, Counter>>;
}

export interface DeviceRequest {
  readonly name: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly DeviceSubRequest[];
}

export interface DeviceRequestAllocationResult {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly shareID?: string;
  readonly consumedCapacity?: Readonly<Record<string, string>>;
}

export interface DeviceSelector {
  readonly cel?: CELDeviceSelector;
}

export interface DeviceSubRequest {
  readonly name: string;
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: DeviceAllocationMode;
  readonly count?: number;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
}

export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: DeviceTaintEffect;
  readonly timeAdded?: string;
}

export type DeviceTaintEffect = "NoExecute" | "NoSchedule" | "None";

export interface DeviceToleration {
  readonly key?: string;
  readonly operator?: DeviceTolerationOperator;
  readonly value?: string;
  readonly effect?: DeviceTaintEffect;
  readonly tolerationSeconds?: number;
}

export type DeviceTolerationOperator = "Equal" | "Exists";

export interface ExactDeviceRequest {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: DeviceAllocationMode;
  readonly count?: number;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
}

export interface NetworkDeviceData {
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
  readonly hardwareAddress?: string;
}

export interface NodeAllocatableResourceMapping {
  readonly capacityKey?: string;
  readonly allocationMultiplier?: string;
}

export interface OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** An object of the kind ResourceClaim in resource.k8s.io/v1. */
export interface ResourceClaim {
  readonly apiVersion: "resource.k8s.io/v1";
  readonly kind: "ResourceClaim";
  readonly metadata: ObjectMeta;
  readonly spec: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus;
}

/** The resource resourceclaims in resource.k8s.io/v1. */
export const ResourceClaim: Resource<ResourceClaim> = resource({ group: "resource.k8s.io", version: "v1", kind: "ResourceClaim", plural: "resourceclaims", scope: "Namespaced" });

export interface ResourceClaimConsumerReference {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
}

export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim;
}

export interface ResourceClaimStatus {
  readonly allocation?: AllocationResult;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  readonly devices?: readonly AllocatedDeviceStatus[];
}

/** An object of the kind ResourceClaimTemplate in resource.k8s.io/v1. */
export interface ResourceClaimTemplate {
  readonly apiVersion: "resource.k8s.io/v1";
  readonly kind: "ResourceClaimTemplate";
  readonly metadata: ObjectMeta;
  readonly spec: ResourceClaimTemplateSpec;
}

/** The resource resourceclaimtemplates in resource.k8s.io/v1. */
export const ResourceClaimTemplate: Resource<ResourceClaimTemplate> = resource({ group: "resource.k8s.io", version: "v1", kind: "ResourceClaimTemplate", plural: "resourceclaimtemplates", scope: "Namespaced" });

export interface ResourceClaimTemplateSpec {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: ResourceClaimSpec;
}

export interface ResourcePool {
  readonly name: string;
  readonly generation: number;
  readonly resourceSliceCount: number;
}

/** An object of the kind ResourceSlice in resource.k8s.io/v1. */
export interface ResourceSlice {
  readonly apiVersion: "resource.k8s.io/v1";
  readonly kind: "ResourceSlice";
  readonly metadata: ObjectMeta;
  readonly spec: ResourceSliceSpec;
}

/** The resource resourceslices in resource.k8s.io/v1. */
export const ResourceSlice: Resource<ResourceSlice> = resource({ group: "resource.k8s.io", version: "v1", kind: "ResourceSlice", plural: "resourceslices", scope: "Cluster" });

export interface ResourceSliceSpec {
  readonly driver: string;
  readonly pool: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly Device[];
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
}
