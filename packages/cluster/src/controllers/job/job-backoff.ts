import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { failureCount } from "./index-failures.ts";
import { hasPodFailed, isTracked, podEndMs } from "./pod-tracking.ts";

const firstMs = 10_000;
const mostMs = 600_000;

/**
 * How long a job still waits before it starts pods again, after those that failed since the last success. It is told from the pods that are there, so that a restart forgets
 * nothing.
 */
export function backoffLeftMs(job: Job, pods: readonly Pod[], nowMs: number): number {
  const successes = pods.filter(({ status }) => status?.phase === "Succeeded").map(podEndMs);
  const lastSuccessMs = Math.max(-Infinity, ...successes);
  const failures = pods.filter((pod) => isFailure(pod, job)).map(podEndMs);
  const since = failures.filter((endMs) => endMs > lastSuccessMs);
  return leftMs(since.length, Math.max(-Infinity, ...since), nowMs);
}

/** How long an index still waits for its next pod after the last one, which failed. */
export function indexBackoffLeftMs(last: Pod | undefined, nowMs: number): number {
  return last === undefined ? 0 : leftMs(failureCount(last).all + 1, podEndMs(last), nowMs);
}

/** Pods that were let go of and deleted, as for a suspension, are no failures. */
function isFailure(pod: Pod, job: Job): boolean {
  return hasPodFailed(pod, job) && (isTracked(pod) || pod.metadata.deletionTimestamp === undefined);
}

function leftMs(failures: number, lastMs: number, nowMs: number): number {
  if (failures === 0) return 0;
  return Math.max(0, lastMs + Math.min(mostMs, firstMs * 2 ** (failures - 1)) - nowMs);
}
