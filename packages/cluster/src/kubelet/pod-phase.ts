import type { Container, ContainerStatus, Pod, PodPhase } from "@kaji/types/core/v1";
import { isSidecar, shouldRestart } from "./restart-policy.ts";

/** The containers of a pod by where they are. Sidecars that have ended count nowhere. */
interface Tally {
  waiting: number;
  running: number;
  stopped: number;
  succeeded: number;
  /** Stopped, and to be run again. */
  restarting: number;
}

/** What the states of its containers make of a pod. `isEnding`: none of them will be run again. */
export function podPhase(pod: Pod, statuses: ReadonlyMap<string, ContainerStatus>, isEnding: boolean): PodPhase {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const init = initContainers.filter((container) => !isSidecar(container));
  if (init.some((container) => hasFailedForGood(container, pod, statuses.get(container.name)))) return "Failed";
  const tally: Tally = { waiting: 0, running: 0, stopped: 0, succeeded: 0, restarting: 0 };
  for (const container of containers) count(tally, container, pod, statuses.get(container.name));
  const isInitialized = init.every(({ name }) => lastEnd(statuses.get(name))?.exitCode === 0);
  const sidecars = initContainers.filter(isSidecar).map(({ name }) => statuses.get(name)?.state ?? {});
  const hasPendingSidecar = sidecars.some(({ waiting }) => waiting !== undefined) && tally.running + tally.stopped === 0;
  const isRunning = tally.running > 0 || [...statuses.values()].some(({ state }) => state?.running !== undefined);
  // Whoever waits for the end of a pod, as a Job may before it replaces one, goes by its phase.
  if (!isInitialized || hasPendingSidecar || tally.waiting > 0) return isEnding && !isRunning ? "Failed" : "Pending";
  if (isRunning) return "Running";
  if (!isEnding && tally.restarting > 0) return "Running";
  return tally.stopped === tally.succeeded ? "Succeeded" : "Failed";
}

function count(tally: Tally, container: Container, pod: Pod, status: ContainerStatus | undefined): void {
  if (status?.state?.running !== undefined) tally.running++;
  else {
    const end = lastEnd(status);
    if (end === undefined) tally.waiting++;
    else {
      tally.stopped++;
      if (end.exitCode === 0) tally.succeeded++;
      if (shouldRestart(container, pod, end.exitCode)) tally.restarting++;
    }
  }
}

function hasFailedForGood(container: Container, pod: Pod, status: ContainerStatus | undefined): boolean {
  const end = status?.state?.running === undefined ? lastEnd(status) : undefined;
  // A sidecar's restart policy is its own; for all other init containers `Always` means until they succeed.
  return end !== undefined && end.exitCode !== 0 && !shouldRestart(container, pod, end.exitCode);
}

function lastEnd(status: ContainerStatus | undefined): { readonly exitCode: number } | undefined {
  return status?.state?.terminated ?? (status?.state?.waiting === undefined ? undefined : status.lastState?.terminated);
}
