import { conditionsOf, formatTime, setCondition } from "@kaji/core";
import type { Condition } from "@kaji/core";
import type { HorizontalPodAutoscalerStatus, MetricStatus } from "@kaji/types/autoscaling/v2";

/** The status of an autoscaler, as it comes to be while it is looked at. */
export class StatusDraft {
  readonly #before: HorizontalPodAutoscalerStatus;
  readonly #nowMs: number;
  #conditions: readonly Condition[];

  constructor(before: HorizontalPodAutoscalerStatus | undefined, nowMs: number) {
    this.#before = knownStatus(before);
    this.#nowMs = nowMs;
    this.#conditions = conditionsOf(before?.conditions);
  }

  /** Says something of the autoscaler. */
  say(type: "AbleToScale" | "ScalingActive" | "ScalingLimited", status: "True" | "False", reason: string, message: string): void {
    this.#conditions = setCondition(this.#conditions, { type, status, reason, message }, { now: () => this.#nowMs });
  }

  /** What it was, but for the conditions. */
  withConditions(): HorizontalPodAutoscalerStatus {
    return { ...this.#before, conditions: this.#conditions };
  }

  /** What it is after nothing has been done: fewer or more are wanted than before only if they were. */
  unscaled(current: number, metrics: readonly MetricStatus[]): HorizontalPodAutoscalerStatus {
    return this.#status(current, this.#before.desiredReplicas, metrics, this.#before.lastScaleTime);
  }

  /** What it is when there are as many as there should be. */
  settled(current: number, metrics: readonly MetricStatus[]): HorizontalPodAutoscalerStatus {
    return this.#status(current, current, metrics, this.#before.lastScaleTime);
  }

  /** What it is after the target has been scaled. */
  rescaled(current: number, desired: number, metrics: readonly MetricStatus[]): HorizontalPodAutoscalerStatus {
    return this.#status(current, desired, metrics, formatTime(this.#nowMs));
  }

  #status(
    current: number,
    desired: number,
    metrics: readonly MetricStatus[],
    lastScaleTime: string | undefined,
  ): HorizontalPodAutoscalerStatus {
    return {
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
      ...(current === 0 ? {} : { currentReplicas: current }),
      desiredReplicas: desired,
      ...(metrics.length === 0 ? {} : { currentMetrics: metrics }),
      conditions: this.#conditions,
    };
  }
}

/** A status without what the server shows as null. */
export function knownStatus(
  { currentMetrics, ...status }: HorizontalPodAutoscalerStatus = { desiredReplicas: 0 },
): HorizontalPodAutoscalerStatus {
  return (currentMetrics?.length ?? 0) === 0 ? status : { ...status, ...(currentMetrics === undefined ? {} : { currentMetrics }) };
}
