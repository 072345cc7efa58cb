// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

export interface ExemptPriorityLevelConfiguration {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
}

export interface FlowDistinguisherMethod {
  readonly type: string;
}

/** An object of the kind FlowSchema in flowcontrol.apiserver.k8s.io/v1. */
export interface FlowSchema {
  readonly apiVersion: "flowcontrol.apiserver.k8s.io/v1";
  readonly kind: "FlowSchema";
  readonly metadata: ObjectMeta;
  readonly spec?: FlowSchemaSpec;
  readonly status?: FlowSchemaStatus;
}

/** The resource flowschemas in flowcontrol.apiserver.k8s.io/v1. */
export const FlowSchema: Resource<FlowSchema> = resource({ group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema", plural: "flowschemas", scope: "Cluster" });

export interface FlowSchemaCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  readonly rules?: readonly PolicyRulesWithSubjects[];
}

export interface FlowSchemaStatus {
  readonly conditions?: readonly FlowSchemaCondition[];
}

export interface GroupSubject {
  readonly name: string;
}

export interface LimitResponse {
  readonly type: string;
  readonly queuing?: QueuingConfiguration;
}

export interface LimitedPriorityLevelConfiguration {
  readonly nominalConcurrencyShares?: number;
  readonly limitResponse?: LimitResponse;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
}

export interface NonResourcePolicyRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface PolicyRulesWithSubjects {
  readonly subjects: readonly Subject[];
  readonly resourceRules?: readonly ResourcePolicyRule[];
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
}

/** An object of the kind PriorityLevelConfiguration in flowcontrol.apiserver.k8s.io/v1. */
export interface PriorityLevelConfiguration {
  readonly apiVersion: "flowcontrol.apiserver.k8s.io/v1";
  readonly kind: "PriorityLevelConfiguration";
  readonly metadata: ObjectMeta;
  readonly spec?: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatus;
}

/** The resource prioritylevelconfigurations in flowcontrol.apiserver.k8s.io/v1. */
export const PriorityLevelConfiguration: Resource<PriorityLevelConfiguration> = resource({ group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "PriorityLevelConfiguration", plural: "prioritylevelconfigurations", scope: "Cluster" });

export interface PriorityLevelConfigurationCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface PriorityLevelConfigurationReference {
  readonly name: string;
}

export interface PriorityLevelConfigurationSpec {
  readonly type: string;
  readonly limited?: LimitedPriorityLevelConfiguration;
  readonly exempt?: ExemptPriorityLevelConfiguration;
}

export interface PriorityLevelConfigurationStatus {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
}

export interface QueuingConfiguration {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

export interface ResourcePolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

export interface ServiceAccountSubject {
  readonly namespace: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly user?: UserSubject;
  readonly group?: GroupSubject;
  readonly serviceAccount?: ServiceAccountSubject;
}

export interface UserSubject {
  readonly name: string;
}
