// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

export interface BoundObjectReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** An object of the kind SelfSubjectReview in authentication.k8s.io/v1. */
export interface SelfSubjectReview {
  readonly apiVersion: "authentication.k8s.io/v1";
  readonly kind: "SelfSubjectReview";
  readonly metadata: ObjectMeta;
  readonly status?: SelfSubjectReviewStatus;
}

/** The resource selfsubjectreviews in authentication.k8s.io/v1. */
export const SelfSubjectReview: Resource<SelfSubjectReview> = resource({ group: "authentication.k8s.io", version: "v1", kind: "SelfSubjectReview", plural: "selfsubjectreviews", scope: "Cluster" });

export interface SelfSubjectReviewStatus {
  readonly userInfo?: UserInfo;
}

/** An object of the kind TokenRequest in authentication.k8s.io/v1. */
export interface TokenRequest {
  readonly apiVersion: "authentication.k8s.io/v1";
  readonly kind: "TokenRequest";
  readonly metadata: ObjectMeta;
  readonly spec?: TokenRequestSpec;
  readonly status?: TokenRequestStatus;
}

export interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: BoundObjectReference;
}

export interface TokenRequestStatus {
  readonly token?: string;
  readonly expirationTimestamp?: string;
}

/** An object of the kind TokenReview in authentication.k8s.io/v1. */
export interface TokenReview {
  readonly apiVersion: "authentication.k8s.io/v1";
  readonly kind: "TokenReview";
  readonly metadata: ObjectMeta;
  readonly spec: TokenReviewSpec;
  readonly status?: TokenReviewStatus;
}

/** The resource tokenreviews in authentication.k8s.io/v1. */
export const TokenReview: Resource<TokenReview> = resource({ group: "authentication.k8s.io", version: "v1", kind: "TokenReview", plural: "tokenreviews", scope: "Cluster" });

export interface TokenReviewSpec {
  readonly token: string;
  readonly audiences?: readonly string[];
}

export interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
