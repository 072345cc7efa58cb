import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { isPodActive, isPodReady, isPodTerminating } from "../pods/pod-state.ts";
import { isCounted } from "./failure-policy.ts";
import { failsIndex, failureCount, hasLimitPerIndex } from "./index-failures.ts";
import { indexOf, isIndexed, readIndexes } from "./job-indexes.ts";
import { hasPodFailed, isTracked, podEndMs } from "./pod-tracking.ts";

/** What the pods of a job amount to at a moment, with those whose end is in its status already. */
export interface JobTally {
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** The last failed pod of each index that waits for its next pod. It records how often the index has failed, so it must stay until its successor exists. */
  readonly predecessors: ReadonlyMap<number, Pod>;
}

/** Counts the pods of a job. */
export function tallyPods(job: Job, pods: readonly Pod[]): JobTally {
  const { status = {}, spec } = job;
  const { completions = 0 } = spec ?? {};
  const { succeeded: uncountedSuccesses = [], failed: uncountedFailures = [] } = status.uncountedTerminatedPods ?? {};
  const tracked = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || indexOf(pod, job) !== undefined));
  const isNewIn = (counted: readonly string[], { metadata }: Pod): boolean => !counted.includes(metadata.uid ?? "");
  const successes = tracked.filter((pod) => pod.status?.phase === "Succeeded");
  const newFailures = tracked.filter((pod) => isNewIn(uncountedFailures, pod) && hasPodFailed(pod, job) && isCounted(job, pod));
  const succeededIndexes = readIndexes(status.completedIndexes ?? "", completions).union(indexesOf(successes, job));
  const failedIndexes = hasLimitPerIndex(job)
    ? readIndexes(status.failedIndexes ?? "", completions).union(
        indexesOf(
          tracked.filter((pod) => failsIndex(job, pod)),
          job,
        ),
      )
    : new Set<number>();
  const active = pods.filter(isPodActive);
  const newSuccesses = successes.filter((pod) => isNewIn(uncountedSuccesses, pod)).length;
  const settled = succeededIndexes.union(failedIndexes).union(indexesOf(active, job));
  return {
    pods,
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating),
    succeeded: isIndexed(job) ? succeededIndexes.size : (status.succeeded ?? 0) + uncountedSuccesses.length + newSuccesses,
    failed: (status.failed ?? 0) + uncountedFailures.length + newFailures.length,
    succeededIndexes,
    failedIndexes,
    predecessors: hasLimitPerIndex(job) ? predecessorsOf(job, tracked, settled) : new Map(),
  };
}

/** The indexes that pods have. */
export function indexesOf(pods: readonly Pod[], job: Job): ReadonlySet<number> {
  return new Set(pods.map((pod) => indexOf(pod, job)).filter((index) => index !== undefined));
}

function predecessorsOf(job: Job, tracked: readonly Pod[], settled: ReadonlySet<number>): ReadonlyMap<number, Pod> {
  const predecessors = new Map<number, Pod>();
  for (const pod of tracked) {
    const index = indexOf(pod, job);
    if (index === undefined || settled.has(index) || !hasPodFailed(pod, job)) continue;
    const other = predecessors.get(index);
    if (other === undefined || isLater(pod, other)) predecessors.set(index, pod);
  }
  return predecessors;
}

function isLater(pod: Pod, other: Pod): boolean {
  return failureCount(pod).all >= failureCount(other).all && podEndMs(pod) >= podEndMs(other);
}
