// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { Draft, LabelSelector, ObjectMeta, Resource } from "@kaji/core";
import type { PersistentVolumeClaim, PodTemplateSpec } from "../core/v1.ts";

/** An object of the kind ControllerRevision in apps/v1. */
export interface ControllerRevision {
  readonly apiVersion: "apps/v1";
  readonly kind: "ControllerRevision";
  readonly metadata: ObjectMeta;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/** The resource controllerrevisions in apps/v1. */
export const ControllerRevision: Resource<ControllerRevision> = resource({ group: "apps", version: "v1", kind: "ControllerRevision", plural: "controllerrevisions", scope: "Namespaced" });

/** An object of the kind DaemonSet in apps/v1. */
export interface DaemonSet {
  readonly apiVersion: "apps/v1";
  readonly kind: "DaemonSet";
  readonly metadata: ObjectMeta;
  readonly spec?: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
}

/** The resource daemonsets in apps/v1. */
export const DaemonSet: Resource<DaemonSet> = resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets", scope: "Namespaced" });

export interface DaemonSetCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface DaemonSetSpec {
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberReady: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
}

export interface DaemonSetUpdateStrategy {
  readonly type?: DaemonSetUpdateStrategyType;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
}

export type DaemonSetUpdateStrategyType = "OnDelete" | "RollingUpdate";

/** An object of the kind Deployment in apps/v1. */
export interface Deployment {
  readonly apiVersion: "apps/v1";
  readonly kind: "Deployment";
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpec;
  readonly status?: DeploymentStatus;
}

/** The resource deployments in apps/v1. */
export const Deployment: Resource<Deployment> = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

export interface DeploymentCondition {
  readonly type: string;
  readonly status: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
}

export interface DeploymentStrategy {
  readonly type?: DeploymentStrategyType;
  readonly rollingUpdate?: RollingUpdateDeployment;
}

export type DeploymentStrategyType = "Recreate" | "RollingUpdate";

export type PodManagementPolicyType = "OrderedReady" | "Parallel";

/** An object of the kind ReplicaSet in apps/v1. */
export interface ReplicaSet {
  readonly apiVersion: "apps/v1";
  readonly kind: "ReplicaSet";
  readonly metadata: ObjectMeta;
  readonly spec?: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
}

/** The resource replicasets in apps/v1. */
export const ReplicaSet: Resource<ReplicaSet> = resource({ group: "apps", version: "v1", kind: "ReplicaSet", plural: "replicasets", scope: "Namespaced" });

export interface ReplicaSetCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface ReplicaSetSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector: LabelSelector;
  readonly template?: PodTemplateSpec;
}

export interface ReplicaSetStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly ReplicaSetCondition[];
}

export interface RollingUpdateDaemonSet {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

export interface RollingUpdateDeployment {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

export interface RollingUpdateStatefulSetStrategy {
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
}

/** An object of the kind StatefulSet in apps/v1. */
export interface StatefulSet {
  readonly apiVersion: "apps/v1";
  readonly kind: "StatefulSet";
  readonly metadata: ObjectMeta;
  readonly spec?: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
}

/** The resource statefulsets in apps/v1. */
export const StatefulSet: Resource<StatefulSet> = resource({ group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets", scope: "Namespaced" });

export interface StatefulSetCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface StatefulSetOrdinals {
  readonly start?: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

export interface StatefulSetSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly Draft<PersistentVolumeClaim>[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: PodManagementPolicyType;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas?: number;
}

export interface StatefulSetUpdateStrategy {
  readonly type?: StatefulSetUpdateStrategyType;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

export type StatefulSetUpdateStrategyType = "OnDelete" | "RollingUpdate";
