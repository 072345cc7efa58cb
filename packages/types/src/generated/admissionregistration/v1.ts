// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { Condition, LabelSelector, ObjectMeta, Resource } from "@kaji/core";

export interface ApplyConfiguration {
  readonly expression?: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export type FailurePolicyType = "Fail" | "Ignore";

export interface JSONPatch {
  readonly expression?: string;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export type MatchPolicyType = "Equivalent" | "Exact";

export interface MatchResources {
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: MatchPolicyType;
}

/** An object of the kind MutatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export interface MutatingAdmissionPolicy {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicySpec;
}

/** The resource mutatingadmissionpolicies in admissionregistration.k8s.io/v1. */
export const MutatingAdmissionPolicy: Resource<MutatingAdmissionPolicy> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicy", plural: "mutatingadmissionpolicies", scope: "Cluster" });

/** An object of the kind MutatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export interface MutatingAdmissionPolicyBinding {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicyBindingSpec;
}

/** The resource mutatingadmissionpolicybindings in admissionregistration.k8s.io/v1. */
export const MutatingAdmissionPolicyBinding: Resource<MutatingAdmissionPolicyBinding> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicyBinding", plural: "mutatingadmissionpolicybindings", scope: "Cluster" });

export interface MutatingAdmissionPolicyBindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

export interface MutatingAdmissionPolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly variables?: readonly Variable[];
  readonly mutations?: readonly Mutation[];
  readonly failurePolicy?: FailurePolicyType;
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: ReinvocationPolicyType;
}

export interface MutatingWebhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: FailurePolicyType;
  readonly matchPolicy?: MatchPolicyType;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects: SideEffectClass;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions: readonly string[];
  readonly reinvocationPolicy?: ReinvocationPolicyType;
  readonly matchConditions?: readonly MatchCondition[];
}

/** An object of the kind MutatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export interface MutatingWebhookConfiguration {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingWebhookConfiguration";
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly MutatingWebhook[];
}

/** The resource mutatingwebhookconfigurations in admissionregistration.k8s.io/v1. */
export const MutatingWebhookConfiguration: Resource<MutatingWebhookConfiguration> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingWebhookConfiguration", plural: "mutatingwebhookconfigurations", scope: "Cluster" });

export interface Mutation {
  readonly patchType: PatchType;
  readonly applyConfiguration?: ApplyConfiguration;
  readonly jsonPatch?: JSONPatch;
}

export interface NamedRuleWithOperations {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly OperationType[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: ScopeType;
}

export type OperationType = "*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE";

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
}

export type PatchType = "ApplyConfiguration" | "JSONPatch";

export type ReinvocationPolicyType = "IfNeeded" | "Never";

export interface RuleWithOperations {
  readonly operations?: readonly OperationType[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: ScopeType;
}

export type ScopeType = "*" | "Cluster" | "Namespaced";

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

export type SideEffectClass = "None" | "NoneOnDryRun" | "Some" | "Unknown";

export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[];
}

/** An object of the kind ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export interface ValidatingAdmissionPolicy {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "ValidatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
}

/** The resource validatingadmissionpolicies in admissionregistration.k8s.io/v1. */
export const ValidatingAdmissionPolicy: Resource<ValidatingAdmissionPolicy> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicy", plural: "validatingadmissionpolicies", scope: "Cluster" });

/** An object of the kind ValidatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "ValidatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** The resource validatingadmissionpolicybindings in admissionregistration.k8s.io/v1. */
export const ValidatingAdmissionPolicyBinding: Resource<ValidatingAdmissionPolicyBinding> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicyBinding", plural: "validatingadmissionpolicybindings", scope: "Cluster" });

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly policyName: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions: readonly ValidationAction[];
}

export interface ValidatingAdmissionPolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly validations?: readonly Validation[];
  readonly failurePolicy?: FailurePolicyType;
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

export interface ValidatingAdmissionPolicyStatus {
  readonly observedGeneration?: number;
  readonly typeChecking?: TypeChecking;
  readonly conditions?: readonly Condition[];
}

export interface ValidatingWebhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: FailurePolicyType;
  readonly matchPolicy?: MatchPolicyType;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects: SideEffectClass;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
}

/** An object of the kind ValidatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export interface ValidatingWebhookConfiguration {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "ValidatingWebhookConfiguration";
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly ValidatingWebhook[];
}

/** The resource validatingwebhookconfigurations in admissionregistration.k8s.io/v1. */
export const ValidatingWebhookConfiguration: Resource<ValidatingWebhookConfiguration> = resource({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration", plural: "validatingwebhookconfigurations", scope: "Cluster" });

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
}

export type ValidationAction = "Audit" | "Deny" | "Warn";

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
  readonly caBundle?: string;
}
