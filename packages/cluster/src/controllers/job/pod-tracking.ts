import { parseTime } from "@kaji/core";
import type { Job } from "@kaji/types/batch/v1";
import type { ContainerStatus, Pod } from "@kaji/types/core/v1";
import { saidTimeMs } from "../said-time.ts";

/** Keeps a pod until its end has been counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/** Whether the end of a pod has not been counted for good. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Whether a successor has to wait until a pod has ended, not only been told to. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

/** Whether a pod has failed; one that is deleted before it could has, unless it has to end first. */
export function hasPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === "Failed") return true;
  return !replacesOnlyFailed(job) && metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** When a pod ended: by its containers, by its being ready no longer, by its deletion, or by its birth. */
export function podEndMs({ metadata, spec, status }: Pod): number {
  const sidecars = new Set((spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name));
  const containers: readonly ContainerStatus[] = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = containers.map(({ state }) => saidTimeMs(state?.terminated?.finishedAt));
  const known = ends.filter((end) => end !== undefined);
  if (known.length > 0 && known.length === ends.length) return Math.max(...known);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const unreadyMs = ready?.status === "False" ? saidTimeMs(ready.lastTransitionTime) : undefined;
  if (unreadyMs !== undefined) return unreadyMs;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return creationTimestamp === undefined ? 0 : parseTime(creationTimestamp);
}
