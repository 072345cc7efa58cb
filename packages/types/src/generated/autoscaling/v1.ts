// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

export interface CrossVersionObjectReference {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion?: string;
}

/** An object of the kind HorizontalPodAutoscaler in autoscaling/v1. */
export interface HorizontalPodAutoscaler {
  readonly apiVersion: "autoscaling/v1";
  readonly kind: "HorizontalPodAutoscaler";
  readonly metadata: ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}

/** The resource horizontalpodautoscalers in autoscaling/v1. */
export const HorizontalPodAutoscaler: Resource<HorizontalPodAutoscaler> = resource({ group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler", plural: "horizontalpodautoscalers", scope: "Namespaced" });

export interface HorizontalPodAutoscalerSpec {
  readonly scaleTargetRef: CrossVersionObjectReference;
  readonly minReplicas?: number;
  readonly maxReplicas: number;
  readonly targetCPUUtilizationPercentage?: number;
}

export interface HorizontalPodAutoscalerStatus {
  readonly observedGeneration?: number;
  readonly lastScaleTime?: string;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly currentCPUUtilizationPercentage?: number;
}

/** An object of the kind Scale in autoscaling/v1. */
export interface Scale {
  readonly apiVersion: "autoscaling/v1";
  readonly kind: "Scale";
  readonly metadata: ObjectMeta;
  readonly spec?: ScaleSpec;
  readonly status?: ScaleStatus;
}

export interface ScaleSpec {
  readonly replicas?: number;
}

export interface ScaleStatus {
  readonly replicas: number;
  readonly selector?: string;
}
