import type { Storage } from "@kaji/apiserver";
import { formatMicroTime, onAbort, parseJsonBytes } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import type { PodLogReader } from "../kinds/core/pod-log-text.ts";
import type { PodRuntime } from "./pod-runtime.ts";
import { containerOf } from "../kinds/core/pod-container.ts";
import { startedRunOf, statusOf } from "./started-run.ts";

/** Which part of a log is read. */
export interface PodLogOptions {
  /** Needed if the pod has several containers. */
  readonly container?: string;
  /** Of the run before this one. Default false. */
  readonly previous?: boolean;
  /** Begins each line with its time. Default false. */
  readonly timestamps?: boolean;
  /** Only what was written then or later. */
  readonly sinceMs?: number;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/** Reads the logs of what a runtime runs, of the pods in a storage. */
export function podLogReader(runtime: PodRuntime, storage: Storage): PodLogReader {
  return (found, query, { nowMs, signal }) => {
    const pod = podOf(found);
    if (query.follow !== true) return readPodLog(pod, runtime, nowMs, query);
    // Read before following starts, so that a log that cannot be read is an error response.
    const begin = linesOf(pod, runtime, nowMs, query);
    return followPodLog({ pod, text: textOf(begin, query), told: begin.end, query, runtime, storage, nowMs, signal });
  };
}

interface FollowedLog {
  readonly pod: Pod;
  /** What was there at the beginning. */
  readonly text: string;
  /** How many lines had been written by then. */
  readonly told: number;
  readonly query: PodLogOptions;
  readonly runtime: PodRuntime;
  readonly storage: Storage;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What a container has written and goes on to write, until it ends, its pod is gone or the client hangs up. */
async function* followPodLog({ pod, text, query, runtime, storage, nowMs, signal, ...begin }: FollowedLog): AsyncGenerator<Uint8Array> {
  let next = Promise.withResolvers<void>();
  const look = (): void => next.resolve();
  const key = `/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`;
  using listening = new DisposableStack();
  listening.use(storage.subscribe(key, storage.currentRevision, look));
  listening.use(runtime.onOutput(look));
  listening.use(onAbort(signal, look));
  if (text !== "") yield Buffer.from(text);
  const container = containerOf(pod, query.container ?? "");
  const first = statusOf(pod, container);
  for (let { told } = begin; ;) {
    const entry = storage.get(key);
    const live = entry === undefined ? undefined : podOf(parseJsonBytes(entry.bytes));
    if (signal?.aborted === true || live === undefined || live.metadata.uid !== pod.metadata.uid) return;
    const status = statusOf(live, container);
    if (status?.restartCount !== first?.restartCount) return;
    const { lines, end } = linesOf(live, runtime, nowMs, query, told);
    if (lines.length > 0) yield Buffer.from(lines.join(""));
    told = end;
    if (first?.state?.running === undefined || status?.state?.running === undefined) return;
    await next.promise;
    next = Promise.withResolvers<void>();
  }
}

/** A pod as the server keeps it. */
export function podOf(stored: JsonValue | DynamicObject): Pod {
  return stored as Pod;
}

/** The log of a container, as `pods/log` answers it. Throws what the server says if there is no such log. */
export function readPodLog(pod: Pod, runtime: PodRuntime, nowMs: number, options: PodLogOptions = {}): string {
  return textOf(linesOf(pod, runtime, nowMs, options), options);
}

/** Lines with their ends, and how many had been written with the last of them. */
interface LogLines {
  readonly lines: readonly string[];
  readonly end: number;
}

/** The lines of a log after the first so many that were ever written, as far as they are kept. */
function linesOf(pod: Pod, runtime: PodRuntime, nowMs: number, options: PodLogOptions, after = 0): LogLines {
  const container = containerOf(pod, options.container ?? "");
  if ((pod.spec?.nodeName ?? "") === "") return { lines: [], end: 0 };
  const run = startedRunOf(pod, container, nowMs, options.previous);
  const { timestamps = false, sinceMs = -Infinity } = options;
  const { lines, times = [], dropped = 0 } = runtime.logs(run);
  const first = Math.max(0, after - dropped);
  const asked = lines.slice(first).flatMap((line, index) => {
    const atMs = times[first + index] ?? run.startedAtMs;
    return atMs < sinceMs ? [] : [`${timestamps ? `${logTime(atMs)} ` : ""}${line}\n`];
  });
  return { lines: asked, end: dropped + lines.length };
}

/** As container runtimes write it: with all nine digits of a fraction of a second, so that a client can go on after a line. */
function logTime(atMs: number): string {
  return `${formatMicroTime(atMs).slice(0, -1)}000Z`;
}

function textOf({ lines }: LogLines, { tailLines = Infinity, limitBytes = Infinity }: PodLogOptions): string {
  const bytes = Buffer.from(lines.slice(Math.max(0, lines.length - tailLines)).join(""));
  return bytes.subarray(0, Math.min(limitBytes, bytes.length)).toString("utf8");
}
