import type { Storage } from "@kaji/apiserver";
import { badRequest, formatTime, parseJsonBytes, parseTime } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
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

/** Reads the logs of what a runtime runs, of the pods in a storage. */
export function podLogReader(runtime: PodRuntime, storage: Storage): PodLogReader {
  return (found, query, { nowMs, signal }) => {
    const pod = podOf(found);
    // Read before following starts, so that a log that cannot be read is an error response.
    const text = readPodLog(pod, runtime, nowMs, query);
    return query.follow === true ? followPodLog({ pod, text, query, runtime, storage, nowMs, signal }) : text;
  };
}

interface FollowedLog {
  readonly pod: Pod;
  /** What was there at the beginning. */
  readonly text: string;
  readonly query: PodLogOptions;
  readonly runtime: PodRuntime;
  readonly storage: Storage;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What a container has written and goes on to write, until it ends, its pod is gone or the client hangs up. */
async function* followPodLog({ pod, text, query, runtime, storage, nowMs, signal }: FollowedLog): AsyncGenerator<Uint8Array> {
  let next = Promise.withResolvers<void>();
  const look = (): void => next.resolve();
  const key = `/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`;
  using listening = new DisposableStack();
  listening.use(storage.subscribe(key, storage.currentRevision, look));
  listening.use(runtime.onOutput(look));
  signal?.addEventListener("abort", look, { once: true });
  if (text !== "") yield Buffer.from(text);
  const { tailLines: _tail, limitBytes: _limit, ...rest } = query;
  let written = Buffer.from(readPodLog(pod, runtime, nowMs, rest));
  const first = statusOf(pod, query);
  for (;;) {
    const entry = storage.get(key);
    const live = entry === undefined ? undefined : podOf(parseJsonBytes(entry.bytes));
    if (signal?.aborted === true || live === undefined || live.metadata.uid !== pod.metadata.uid) return;
    const status = statusOf(live, query);
    if (status?.restartCount !== first?.restartCount) return;
    const now = Buffer.from(readPodLog(live, runtime, nowMs, rest));
    if (now.length > written.length) yield now.subarray(written.length);
    written = now;
    if (first?.state?.running === undefined || status?.state?.running === undefined) return;
    await next.promise;
    next = Promise.withResolvers<void>();
  }
}

function statusOf(pod: Pod, { container = "" }: PodLogOptions): ContainerStatus | undefined {
  const { name } = containerOf(pod, container);
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find((status) => status.name === name);
}

/** A pod as the server keeps it. */
function podOf(stored: JsonValue | DynamicObject): Pod {
  return stored as Pod;
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
  const status = statusOf(pod, { container: container.name });
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
