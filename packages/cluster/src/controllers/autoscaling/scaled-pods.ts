import type { MetricStatus } from "@kaji/types/autoscaling/v2";
import type { Pod } from "@kaji/types/core/v1";
import type { Tolerances } from "./proposed-replicas.ts";

/** What is scaled, as it is at the moment. */
export interface ScaledPods {
  readonly namespace: string;
  readonly selector: string;
  readonly pods: readonly Pod[];
  /** How many pods are wanted, and how many there are. */
  readonly wanted: number;
  readonly present: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

/** What one metric says. */
export interface MetricProposal {
  readonly replicas: number;
  /** What the metric is called in messages. */
  readonly metric: string;
  readonly status: MetricStatus;
}
