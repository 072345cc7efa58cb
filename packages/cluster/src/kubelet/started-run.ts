import { badRequest, parseTime } from "@kaji/core";
import type { Container, ContainerStatus, Pod } from "@kaji/types/core/v1";
import type { StartedRun } from "./pod-runtime.ts";
import { isSidecar } from "./restart-policy.ts";

/** What a pod's status says of a container. */
export function statusOf({ status }: Pod, { name }: Container): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find((of) => of.name === name);
}

/** The run of a container that is under way or was the last, or the one before it. Refuses a container that has had no such run. */
export function startedRunOf(pod: Pod, container: Container, nowMs: number, isPrevious = false): StartedRun {
  const status = statusOf(pod, container);
  const where = `container "${container.name}" in pod "${pod.metadata.name}"`;
  if (status === undefined) throw badRequest(`${where} is not available`);
  const { running, terminated, waiting } = status.state ?? {};
  const last = status.lastState?.terminated;
  if (isPrevious && last === undefined) throw badRequest(`previous terminated ${where} not found`);
  const isLast = isPrevious || (running === undefined && terminated === undefined);
  if (isLast && last === undefined) throw badRequest(`${where} is waiting to start: ${whyWaiting(waiting?.reason)}`);
  const startedAt = (isLast ? last : (running ?? terminated))?.startedAt;
  return {
    pod,
    container,
    role: roleOf(pod, container),
    restartCount: restartCountOf(status, isLast),
    nowMs,
    startedAtMs: startedAt === undefined ? nowMs : parseTime(startedAt),
  };
}

/** While a container waits to be restarted, its `restartCount` does not include the run to come. */
function restartCountOf({ restartCount, state }: ContainerStatus, isLast: boolean): number {
  return isLast && state?.waiting === undefined ? Math.max(0, restartCount - 1) : restartCount;
}

function roleOf({ spec }: Pod, container: Container): StartedRun["role"] {
  if (!(spec?.initContainers ?? []).some(({ name }) => name === container.name)) return "Main";
  return isSidecar(container) ? "Sidecar" : "Init";
}

function whyWaiting(reason: string | undefined): string {
  if (reason === "ErrImagePull") return "image can't be pulled";
  return reason === "ImagePullBackOff" ? "trying and failing to pull image" : (reason ?? "no logs yet");
}
