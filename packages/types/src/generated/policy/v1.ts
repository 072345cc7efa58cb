// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { Condition, LabelSelector, ObjectMeta, Resource } from "@kaji/core";
import type { DeleteOptions } from "../meta/v1.ts";

/** An object of the kind Eviction in policy/v1. */
export interface Eviction {
  readonly apiVersion: "policy/v1";
  readonly kind: "Eviction";
  readonly metadata: ObjectMeta;
  readonly deleteOptions?: DeleteOptions;
}

/** An object of the kind PodDisruptionBudget in policy/v1. */
export interface PodDisruptionBudget {
  readonly apiVersion: "policy/v1";
  readonly kind: "PodDisruptionBudget";
  readonly metadata: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
}

/** The resource poddisruptionbudgets in policy/v1. */
export const PodDisruptionBudget: Resource<PodDisruptionBudget> = resource({ group: "policy", version: "v1", kind: "PodDisruptionBudget", plural: "poddisruptionbudgets", scope: "Namespaced" });

export interface PodDisruptionBudgetSpec {
  readonly minAvailable?: number | string;
  readonly selector?: LabelSelector;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

export interface PodDisruptionBudgetStatus {
  readonly observedGeneration?: number;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly Condition[];
}

export type UnhealthyPodEvictionPolicyType = "AlwaysAllow" | "IfHealthyBudget";
