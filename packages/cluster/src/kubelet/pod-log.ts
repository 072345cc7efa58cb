import type { Storage } from "@kaji/apiserver";
import { formatTime, parseJsonBytes } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import type { PodLogReader } from "../kinds/core/pod-log-text.ts";
import type { PodRuntime } from "./pod-runtime.ts";
import { containerOf, startedRunOf, statusOf } from "./started-run.ts";

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
  const container = containerOf(pod, query.container ?? "");
  const first = statusOf(pod, container);
  for (;;) {
    const entry = storage.get(key);
    const live = entry === undefined ? undefined : podOf(parseJsonBytes(entry.bytes));
    if (signal?.aborted === true || live === undefined || live.metadata.uid !== pod.metadata.uid) return;
    const status = statusOf(live, container);
    if (status?.restartCount !== first?.restartCount) return;
    const now = Buffer.from(readPodLog(live, runtime, nowMs, rest));
    if (now.length > written.length) yield now.subarray(written.length);
    written = now;
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
  const container = containerOf(pod, options.container ?? "");
  if ((pod.spec?.nodeName ?? "") === "") return "";
  const run = startedRunOf(pod, container, nowMs, options.previous);
  const at = options.timestamps === true ? `${formatTime(run.startedAtMs)} ` : "";
  const { tailLines = Infinity, limitBytes = Infinity } = options;
  const lines = runtime.logs(run);
  const text = lines.slice(Math.max(0, lines.length - tailLines)).map((line) => `${at}${line}\n`);
  const bytes = Buffer.from(text.join(""));
  return bytes.subarray(0, Math.min(limitBytes, bytes.length)).toString("utf8");
}
