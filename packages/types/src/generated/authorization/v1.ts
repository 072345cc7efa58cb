// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { LabelSelectorRequirement, ObjectMeta, Resource } from "@kaji/core";
import type { FieldSelectorRequirement } from "../meta/v1.ts";

export interface FieldSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly FieldSelectorRequirement[];
}

export interface LabelSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelSelectorRequirement[];
}

/** An object of the kind LocalSubjectAccessReview in authorization.k8s.io/v1. */
export interface LocalSubjectAccessReview {
  readonly apiVersion: "authorization.k8s.io/v1";
  readonly kind: "LocalSubjectAccessReview";
  readonly metadata: ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}

/** The resource localsubjectaccessreviews in authorization.k8s.io/v1. */
export const LocalSubjectAccessReview: Resource<LocalSubjectAccessReview> = resource({ group: "authorization.k8s.io", version: "v1", kind: "LocalSubjectAccessReview", plural: "localsubjectaccessreviews", scope: "Namespaced" });

export interface NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: FieldSelectorAttributes;
  readonly labelSelector?: LabelSelectorAttributes;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** An object of the kind SelfSubjectAccessReview in authorization.k8s.io/v1. */
export interface SelfSubjectAccessReview {
  readonly apiVersion: "authorization.k8s.io/v1";
  readonly kind: "SelfSubjectAccessReview";
  readonly metadata: ObjectMeta;
  readonly spec: SelfSubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}

/** The resource selfsubjectaccessreviews in authorization.k8s.io/v1. */
export const SelfSubjectAccessReview: Resource<SelfSubjectAccessReview> = resource({ group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectAccessReview", plural: "selfsubjectaccessreviews", scope: "Cluster" });

export interface SelfSubjectAccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** An object of the kind SelfSubjectRulesReview in authorization.k8s.io/v1. */
export interface SelfSubjectRulesReview {
  readonly apiVersion: "authorization.k8s.io/v1";
  readonly kind: "SelfSubjectRulesReview";
  readonly metadata: ObjectMeta;
  readonly spec: SelfSubjectRulesReviewSpec;
  readonly status?: SubjectRulesReviewStatus;
}

/** The resource selfsubjectrulesreviews in authorization.k8s.io/v1. */
export const SelfSubjectRulesReview: Resource<SelfSubjectRulesReview> = resource({ group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectRulesReview", plural: "selfsubjectrulesreviews", scope: "Cluster" });

export interface SelfSubjectRulesReviewSpec {
  readonly namespace?: string;
}

/** An object of the kind SubjectAccessReview in authorization.k8s.io/v1. */
export interface SubjectAccessReview {
  readonly apiVersion: "authorization.k8s.io/v1";
  readonly kind: "SubjectAccessReview";
  readonly metadata: ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}

/** The resource subjectaccessreviews in authorization.k8s.io/v1. */
export const SubjectAccessReview: Resource<SubjectAccessReview> = resource({ group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview", plural: "subjectaccessreviews", scope: "Cluster" });

export interface SubjectAccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

export interface SubjectAccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

export interface SubjectRulesReviewStatus {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}
