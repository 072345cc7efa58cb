import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { isCounted, judgeFailure } from "./failure-policy.ts";
import { hasPodFailed } from "./pod-tracking.ts";

const countAnnotation = "batch.kubernetes.io/job-index-failure-count";
const ignoredAnnotation = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Whether each index of a job may fail so many times, whatever the others do. */
export function hasLimitPerIndex({ spec }: Job): boolean {
  return spec?.backoffLimitPerIndex !== undefined;
}

/** How many pods of the same index failed before a pod: those that count, and all. */
export function failureCount({ metadata }: Pod): { readonly counted: number; readonly all: number } {
  const [counted, ignored] = [countAnnotation, ignoredAnnotation].map((name) => wholeNumber(metadata.annotations?.[name]));
  return { counted: counted ?? 0, all: (counted ?? 0) + (ignored ?? 0) };
}

/** What the next pod of an index says about those before it. */
export function failureAnnotations(job: Job, last: Pod | undefined): Readonly<Record<string, string>> {
  if (last === undefined) return { [countAnnotation]: "0" };
  const { counted, all } = failureCount(last);
  const isOne = isCounted(job, last);
  const ignored = all - counted + (isOne ? 0 : 1);
  return { [countAnnotation]: String(counted + (isOne ? 1 : 0)), ...(ignored === 0 ? {} : { [ignoredAnnotation]: String(ignored) }) };
}

/** Whether a pod has failed and its index with it. */
export function failsIndex(job: Job, pod: Pod): boolean {
  if (!hasPodFailed(pod, job)) return false;
  if (judgeFailure(job, pod).action === "FailIndex") return true;
  return isCounted(job, pod) && failureCount(pod).counted >= (job.spec?.backoffLimitPerIndex ?? Infinity);
}

function wholeNumber(text = ""): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
