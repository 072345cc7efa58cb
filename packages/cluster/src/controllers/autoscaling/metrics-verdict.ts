import { Quantity } from "@kaji/core";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerBehavior, MetricStatus } from "@kaji/types/autoscaling/v2";
import { failureMessage } from "../failure-message.ts";
import { MetricError } from "./metric-error.ts";
import { metricFailure, metricProposal } from "./metric-proposal.ts";
import type { MetricReader } from "./metric-reader.ts";
import type { Tolerances } from "./proposed-replicas.ts";
import type { MetricProposal, ScaledPods } from "./scaled-pods.ts";

/** What the metrics of an autoscaler say together. */
export type MetricsVerdict =
  | {
      readonly type: "Proposed";
      readonly replicas: number;
      /** The metric that says it, as it is called in messages. */
      readonly metric: string;
      readonly statuses: readonly MetricStatus[];
      readonly failures: readonly MetricFailure[];
    }
  | {
      readonly type: "Failed";
      readonly statuses: readonly MetricStatus[];
      readonly failures: readonly MetricFailure[];
      /** All of it in one sentence. */
      readonly message: string;
    };

/** A metric that says nothing. */
export interface MetricFailure {
  readonly reason: string;
  readonly message: string;
}

/** Asks all metrics: the one that wants the most replicas has its way. If one says nothing, there are no fewer than before. */
export async function metricsVerdict({ spec }: HorizontalPodAutoscaler, scaled: ScaledPods, reader: MetricReader): Promise<MetricsVerdict> {
  const { metrics = [] } = spec;
  const failures: MetricFailure[] = [];
  const statuses: MetricStatus[] = [];
  let firstFailure = "";
  let highest: MetricProposal | undefined;
  for (const metric of metrics) {
    try {
      const proposal = await metricProposal(metric, scaled, reader);
      statuses.push(proposal.status);
      if (highest === undefined || proposal.replicas > highest.replicas) highest = proposal;
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      const { reason, what } = metricFailure(metric);
      statuses.push({ type: "" });
      if (failures.length === 0) firstFailure = `${what}: ${error.message}`;
      failures.push({ reason, message: failureMessage(error) });
    }
  }
  if (highest === undefined || (failures.length > 0 && highest.replicas < scaled.wanted)) {
    const message = `invalid metrics (${failures.length} invalid out of ${metrics.length}), first error is: ${firstFailure}`;
    return { type: "Failed", statuses, failures, message };
  }
  return { type: "Proposed", replicas: highest.replicas, metric: highest.metric, statuses, failures };
}

const usualTolerance = 0.1;

/** By how much use may differ from what it should be before anything is done. */
export function tolerancesOf({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior = {}): Tolerances {
  const toleranceOf = (text: string | undefined): number =>
    text === undefined ? usualTolerance : Quantity.parse(text).asApproximateFloat();
  return { up: toleranceOf(scaleUp?.tolerance), down: toleranceOf(scaleDown?.tolerance) };
}
