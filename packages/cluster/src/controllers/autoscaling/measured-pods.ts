import type { Pod } from "@kaji/types/core/v1";
import { saidTimeMs } from "../said-time.ts";
import { MetricError } from "./metric-error.ts";
import type { PodValue, PodValues } from "./pod-values.ts";

/** For how long after its start a pod may be busy with starting, so that what it uses says little. */
const initializationMs = 300_000;
/** A pod that ceased to be ready so soon after its start has never been. */
const initialReadinessMs = 30_000;

/** Pods by whether they count. */
export interface MeasuredPods {
  /** What pods use that count, in thousandths, by their names. */
  readonly values: ReadonlyMap<string, number>;
  /** How many pods count. */
  readonly readyCount: number;
  /** Those that have not begun their work. */
  readonly unready: ReadonlySet<string>;
  /** Those that do their work, and nobody knows what they use. */
  readonly missing: ReadonlySet<string>;
}

/** Sorts out which pods count: none that are ending, have failed or, where it is about processors, are still busy with starting. */
export function measuredPods(pods: readonly Pod[], values: PodValues, resource: string | undefined, nowMs: number): MeasuredPods {
  if (pods.length === 0) throw new MetricError("no pods returned by selector while calculating replica count");
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const { phase } = pod.status ?? {};
    const value = values.get(name);
    if (deletionTimestamp !== undefined || phase === "Failed") ignored.add(name);
    else if (phase === "Pending") unready.add(name);
    else if (value === undefined) missing.add(name);
    else if (resource === "cpu" && isStarting(pod, value, nowMs)) unready.add(name);
  }
  const counted = [...values].filter(([name]) => !ignored.has(name) && !unready.has(name));
  if (counted.length === 0) throw new MetricError("did not receive metrics for targeted pods (pods might be unready)");
  const readyCount = pods.length - ignored.size - unready.size - missing.size;
  return { values: new Map(counted.map(([name, { milli }]) => [name, milli])), readyCount, unready, missing };
}

/** Whether what a pod uses of processors may be due to its start. */
function isStarting({ status }: Pod, { atMs, windowMs }: PodValue, nowMs: number): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const startMs = saidTimeMs(status?.startTime);
  if (ready === undefined || startMs === undefined) return true;
  const isUnready = ready.status === "False";
  const sinceMs = saidTimeMs(ready.lastTransitionTime) ?? 0;
  // One whole measurement has to be of the time since it became ready.
  if (startMs + initializationMs > nowMs) return isUnready || atMs < sinceMs + windowMs;
  return isUnready && startMs + initialReadinessMs > sinceMs;
}
