// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { Condition, LabelSelector, ObjectMeta, Resource } from "@kaji/core";
import type { Protocol, TypedLocalObjectReference } from "../core/v1.ts";

export interface HTTPIngressPath {
  readonly path?: string;
  readonly pathType: PathType;
  readonly backend: IngressBackend;
}

export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}

/** An object of the kind IPAddress in networking.k8s.io/v1. */
export interface IPAddress {
  readonly apiVersion: "networking.k8s.io/v1";
  readonly kind: "IPAddress";
  readonly metadata: ObjectMeta;
  readonly spec: IPAddressSpec;
}

/** The resource ipaddresses in networking.k8s.io/v1. */
export const IPAddress: Resource<IPAddress> = resource({ group: "networking.k8s.io", version: "v1", kind: "IPAddress", plural: "ipaddresses", scope: "Cluster" });

export interface IPAddressSpec {
  readonly parentRef: ParentReference;
}

export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** An object of the kind Ingress in networking.k8s.io/v1. */
export interface Ingress {
  readonly apiVersion: "networking.k8s.io/v1";
  readonly kind: "Ingress";
  readonly metadata: ObjectMeta;
  readonly spec?: IngressSpec;
  readonly status?: IngressStatus;
}

/** The resource ingresses in networking.k8s.io/v1. */
export const Ingress: Resource<Ingress> = resource({ group: "networking.k8s.io", version: "v1", kind: "Ingress", plural: "ingresses", scope: "Namespaced" });

export interface IngressBackend {
  readonly service?: IngressServiceBackend;
  readonly resource?: TypedLocalObjectReference;
}

/** An object of the kind IngressClass in networking.k8s.io/v1. */
export interface IngressClass {
  readonly apiVersion: "networking.k8s.io/v1";
  readonly kind: "IngressClass";
  readonly metadata: ObjectMeta;
  readonly spec?: IngressClassSpec;
}

/** The resource ingressclasses in networking.k8s.io/v1. */
export const IngressClass: Resource<IngressClass> = resource({ group: "networking.k8s.io", version: "v1", kind: "IngressClass", plural: "ingressclasses", scope: "Cluster" });

export interface IngressClassParametersReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly scope?: string;
  readonly namespace?: string;
}

export interface IngressClassSpec {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
}

export interface IngressLoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ports?: readonly IngressPortStatus[];
}

export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

export interface IngressPortStatus {
  readonly port: number;
  readonly protocol: Protocol;
  readonly error?: string;
}

export interface IngressRule {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
}

export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort;
}

export interface IngressSpec {
  readonly ingressClassName?: string;
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly IngressTLS[];
  readonly rules?: readonly IngressRule[];
}

export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus;
}

export interface IngressTLS {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

/** An object of the kind NetworkPolicy in networking.k8s.io/v1. */
export interface NetworkPolicy {
  readonly apiVersion: "networking.k8s.io/v1";
  readonly kind: "NetworkPolicy";
  readonly metadata: ObjectMeta;
  readonly spec?: NetworkPolicySpec;
}

/** The resource networkpolicies in networking.k8s.io/v1. */
export const NetworkPolicy: Resource<NetworkPolicy> = resource({ group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy", plural: "networkpolicies", scope: "Namespaced" });

export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
}

export interface NetworkPolicyIngressRule {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly from?: readonly NetworkPolicyPeer[];
}

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: IPBlock;
}

export interface NetworkPolicyPort {
  readonly protocol?: Protocol;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface NetworkPolicySpec {
  readonly podSelector?: LabelSelector;
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly policyTypes?: readonly PolicyType[];
}

export interface ParentReference {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

export type PathType = "Exact" | "ImplementationSpecific" | "Prefix";

export type PolicyType = "Egress" | "Ingress";

export interface ServiceBackendPort {
  readonly name?: string;
  readonly number?: number;
}

/** An object of the kind ServiceCIDR in networking.k8s.io/v1. */
export interface ServiceCIDR {
  readonly apiVersion: "networking.k8s.io/v1";
  readonly kind: "ServiceCIDR";
  readonly metadata: ObjectMeta;
  readonly spec?: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus;
}

/** The resource servicecidrs in networking.k8s.io/v1. */
export const ServiceCIDR: Resource<ServiceCIDR> = resource({ group: "networking.k8s.io", version: "v1", kind: "ServiceCIDR", plural: "servicecidrs", scope: "Cluster" });

export interface ServiceCIDRSpec {
  readonly cidrs?: readonly string[];
}

export interface ServiceCIDRStatus {
  readonly conditions?: readonly Condition[];
}
