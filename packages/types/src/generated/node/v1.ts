// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";
import type { Toleration } from "../core/v1.ts";

export interface Overhead {
  readonly podFixed?: Readonly<Record<string, string>>;
}

/** An object of the kind RuntimeClass in node.k8s.io/v1. */
export interface RuntimeClass {
  readonly apiVersion: "node.k8s.io/v1";
  readonly kind: "RuntimeClass";
  readonly metadata: ObjectMeta;
  readonly handler: string;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
}

/** The resource runtimeclasses in node.k8s.io/v1. */
export const RuntimeClass: Resource<RuntimeClass> = resource({ group: "node.k8s.io", version: "v1", kind: "RuntimeClass", plural: "runtimeclasses", scope: "Cluster" });

export interface Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
}
