import { badRequest, formatTime, parseTime } from "@kaji/core";
import type { Container, ContainerStatus, Pod } from "@kaji/types/core/v1";
import type { PodLogReader } from "../kinds/core/pod-log-text.ts";
import type { PodRuntime, StartedRun } from "./pod-runtime.ts";
import { isSidecar } from "./restart-policy.ts";

/** Which part of a log is read. */
export interface PodLogOptions {
  /** Needed if the pod has several containers. */
  readonly container?: string;
  /** Of the run before this one. Default false. */
  readonly previous?: boolean;
  /** Begins each line with its time. Default false. */
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/** Reads the logs of what a runtime runs. */
export function podLogReader(runtime: PodRuntime): PodLogReader {
  return (pod, query, nowMs) => readPodLog(pod as unknown as Pod, runtime, nowMs, query);
}

/** The log of a container, as `pods/log` answers it. Throws what the server says if there is no such log. */
export function readPodLog(pod: Pod, runtime: PodRuntime, nowMs: number, options: PodLogOptions = {}): string {
  const container = containerOf(pod, options.container ?? "");
  if ((pod.spec?.nodeName ?? "") === "") return "";
  const run = runOf(pod, container, nowMs, options.previous ?? false);
  const at = options.timestamps === true ? `${formatTime(run.startedAtMs)} ` : "";
  const { tailLines = Infinity, limitBytes = Infinity } = options;
  const lines = runtime.logs(run);
  const text = lines.slice(Math.max(0, lines.length - tailLines)).map((line) => `${at}${line}\n`);
  const bytes = Buffer.from(text.join(""));
  return bytes.subarray(0, Math.min(limitBytes, bytes.length)).toString("utf8");
}

function containerOf({ metadata, spec }: Pod, name: string): Container {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const [only] = containers;
  if (name === "" && only !== undefined && containers.length === 1) return only;
  const all: readonly Container[] = [...initContainers, ...containers, ...ephemeralContainers];
  const found = all.find((container) => container.name === name);
  if (found !== undefined) return found;
  if (name !== "") throw badRequest(`container ${name} is not valid for pod ${metadata.name}`);
  const names = all.map((container) => container.name).join(" ");
  throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${names}]`);
}

function runOf(pod: Pod, container: Container, nowMs: number, isPrevious: boolean): StartedRun {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const status = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === container.name,
  );
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

/** A container that waits to run again has not been counted as having done so. */
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
