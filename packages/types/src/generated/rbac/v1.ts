// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { LabelSelector, ObjectMeta, Resource } from "@kaji/core";

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly LabelSelector[];
}

/** An object of the kind ClusterRole in rbac.authorization.k8s.io/v1. */
export interface ClusterRole {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole";
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: AggregationRule;
}

/** The resource clusterroles in rbac.authorization.k8s.io/v1. */
export const ClusterRole: Resource<ClusterRole> = resource({ group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", plural: "clusterroles", scope: "Cluster" });

/** An object of the kind ClusterRoleBinding in rbac.authorization.k8s.io/v1. */
export interface ClusterRoleBinding {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRoleBinding";
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

/** The resource clusterrolebindings in rbac.authorization.k8s.io/v1. */
export const ClusterRoleBinding: Resource<ClusterRoleBinding> = resource({ group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRoleBinding", plural: "clusterrolebindings", scope: "Cluster" });

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** An object of the kind Role in rbac.authorization.k8s.io/v1. */
export interface Role {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "Role";
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[];
}

/** The resource roles in rbac.authorization.k8s.io/v1. */
export const Role: Resource<Role> = resource({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", plural: "roles", scope: "Namespaced" });

/** An object of the kind RoleBinding in rbac.authorization.k8s.io/v1. */
export interface RoleBinding {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "RoleBinding";
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

/** The resource rolebindings in rbac.authorization.k8s.io/v1. */
export const RoleBinding: Resource<RoleBinding> = resource({ group: "rbac.authorization.k8s.io", version: "v1", kind: "RoleBinding", plural: "rolebindings", scope: "Namespaced" });

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}
