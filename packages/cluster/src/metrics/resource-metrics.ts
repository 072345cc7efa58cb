import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

/** The group and version in which metrics-server tells what pods and nodes use. */
export const metricsVersion = { group: "metrics.k8s.io", version: "v1beta1" } as const;

/** What the containers of a pod use. */
export interface PodMetrics {
  readonly apiVersion: "metrics.k8s.io/v1beta1";
  readonly kind: "PodMetrics";
  readonly metadata: ObjectMeta;
  /** When the window ended. */
  readonly timestamp: string;
  /** For how long it was measured, as a duration. */
  readonly window: string;
  readonly containers: readonly ContainerMetrics[];
}

export interface ContainerMetrics {
  readonly name: string;
  readonly usage: ResourceUsage;
}

/** In quantities. */
export interface ResourceUsage {
  readonly cpu: string;
  readonly memory: string;
}

/** What the pods of a node use. */
export interface NodeMetrics {
  readonly apiVersion: "metrics.k8s.io/v1beta1";
  readonly kind: "NodeMetrics";
  readonly metadata: ObjectMeta;
  readonly timestamp: string;
  readonly window: string;
  readonly usage: ResourceUsage;
}

export const PodMetrics: Resource<PodMetrics> = resource({ ...metricsVersion, kind: "PodMetrics", plural: "pods", scope: "Namespaced" });

export const NodeMetrics: Resource<NodeMetrics> = resource({ ...metricsVersion, kind: "NodeMetrics", plural: "nodes", scope: "Cluster" });
