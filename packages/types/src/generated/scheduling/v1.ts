// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";
import type { PreemptionPolicy } from "../core/v1.ts";

/** An object of the kind PriorityClass in scheduling.k8s.io/v1. */
export interface PriorityClass {
  readonly apiVersion: "scheduling.k8s.io/v1";
  readonly kind: "PriorityClass";
  readonly metadata: ObjectMeta;
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  readonly preemptionPolicy?: PreemptionPolicy;
}

/** The resource priorityclasses in scheduling.k8s.io/v1. */
export const PriorityClass: Resource<PriorityClass> = resource({ group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass", plural: "priorityclasses", scope: "Cluster" });
