import { bytesText } from "@kaji/core";
import type { ApiCaller } from "../request/api-caller.ts";
import type { Query } from "../request/query.ts";

/** Which part of a container's log is read. */
export interface PodLogOptions {
  /** Needed if the Pod has several containers. */
  readonly container?: string | undefined;
  /** Goes on as more is written. Default false: ends with what is there. */
  readonly follow?: boolean | undefined;
  /** Reads the log of the container's run before this one. Default false. */
  readonly previous?: boolean | undefined;
  /** Only what is so young. */
  readonly sinceSeconds?: number | undefined;
  /** Only what was written at or after this time (RFC 3339). */
  readonly sinceTime?: string | undefined;
  /** Begins each line with its time. Default false. */
  readonly timestamps?: boolean | undefined;
  /** Begins with so many lines before the end. Default: with the first. */
  readonly tailLines?: number | undefined;
  /** Ends after so many bytes. */
  readonly limitBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The lines of a log. */
export async function* logLines(caller: ApiCaller, path: string, { signal, ...options }: PodLogOptions): AsyncGenerator<string> {
  const query: Query = { ...options };
  for await (const lines of caller.lines({ method: "GET", path, query, accept: "*/*", signal })) {
    for (const line of lines) yield bytesText(line);
  }
}
