// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

/** An object of the kind APIService in apiregistration.k8s.io/v1. */
export interface APIService {
  readonly apiVersion: "apiregistration.k8s.io/v1";
  readonly kind: "APIService";
  readonly metadata: ObjectMeta;
  readonly spec?: APIServiceSpec;
  readonly status?: APIServiceStatus;
}

/** The resource apiservices in apiregistration.k8s.io/v1. */
export const APIService: Resource<APIService> = resource({ group: "apiregistration.k8s.io", version: "v1", kind: "APIService", plural: "apiservices", scope: "Cluster" });

export interface APIServiceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface APIServiceSpec {
  readonly service?: ServiceReference;
  readonly group?: string;
  readonly version?: string;
  readonly insecureSkipTLSVerify?: boolean;
  readonly caBundle?: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

export interface APIServiceStatus {
  readonly conditions?: readonly APIServiceCondition[];
}

export interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly port?: number;
}
