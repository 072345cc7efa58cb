// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

/** An object of the kind Lease in coordination.k8s.io/v1. */
export interface Lease {
  readonly apiVersion: "coordination.k8s.io/v1";
  readonly kind: "Lease";
  readonly metadata: ObjectMeta;
  readonly spec?: LeaseSpec;
}

/** The resource leases in coordination.k8s.io/v1. */
export const Lease: Resource<Lease> = resource({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases", scope: "Namespaced" });

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
  readonly strategy?: string;
  readonly preferredHolder?: string;
}
