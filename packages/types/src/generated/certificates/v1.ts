// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

/** An object of the kind CertificateSigningRequest in certificates.k8s.io/v1. */
export interface CertificateSigningRequest {
  readonly apiVersion: "certificates.k8s.io/v1";
  readonly kind: "CertificateSigningRequest";
  readonly metadata: ObjectMeta;
  readonly spec: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
}

/** The resource certificatesigningrequests in certificates.k8s.io/v1. */
export const CertificateSigningRequest: Resource<CertificateSigningRequest> = resource({ group: "certificates.k8s.io", version: "v1", kind: "CertificateSigningRequest", plural: "certificatesigningrequests", scope: "Cluster" });

export interface CertificateSigningRequestCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

export interface CertificateSigningRequestSpec {
  readonly request: string;
  readonly signerName: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly KeyUsage[];
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface CertificateSigningRequestStatus {
  readonly conditions?: readonly CertificateSigningRequestCondition[];
  readonly certificate?: string;
}

export type KeyUsage = "any" | "cert sign" | "client auth" | "code signing" | "content commitment" | "crl sign" | "data encipherment" | "decipher only" | "digital signature" | "email protection" | "encipher only" | "ipsec end system" | "ipsec tunnel" | "ipsec user" | "key agreement" | "key encipherment" | "microsoft sgc" | "netscape sgc" | "ocsp signing" | "s/mime" | "server auth" | "signing" | "timestamping";
