// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";
import type { ObjectReference, Protocol } from "../core/v1.ts";

export type AddressType = "FQDN" | "IPv4" | "IPv6";

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: ObjectReference;
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: EndpointHints;
}

export interface EndpointConditions {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
}

export interface EndpointHints {
  readonly forZones?: readonly ForZone[];
  readonly forNodes?: readonly ForNode[];
}

export interface EndpointPort {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly port?: number;
  readonly appProtocol?: string;
}

/** An object of the kind EndpointSlice in discovery.k8s.io/v1. */
export interface EndpointSlice {
  readonly apiVersion: "discovery.k8s.io/v1";
  readonly kind: "EndpointSlice";
  readonly metadata: ObjectMeta;
  readonly addressType: AddressType;
  readonly endpoints?: readonly Endpoint[];
  readonly ports?: readonly EndpointPort[];
}

/** The resource endpointslices in discovery.k8s.io/v1. */
export const EndpointSlice: Resource<EndpointSlice> = resource({ group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", plural: "endpointslices", scope: "Namespaced" });

export interface ForNode {
  readonly name: string;
}

export interface ForZone {
  readonly name: string;
}
