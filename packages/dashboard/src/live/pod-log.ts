import type { KubeClient } from "@kaji/client";
import { Pod } from "@kaji/types/core/v1";
import type { LogMessage } from "../page/live-message.ts";
import { failureText } from "../watch/failure-text.ts";
import { keyPath } from "./key-path.ts";

/** Whose log a page shows. */
export interface LogChoice {
  /** The key of a Pod. */
  readonly pod: string;
  readonly container: string;
  /** Of the run before this one. */
  readonly isPrevious: boolean;
}

/** What reading a log needs. */
export interface PodLogOptions {
  readonly client: KubeClient;
  readonly cluster: string;
  readonly signal: AbortSignal;
}

/** A log begins with so many lines before its end. */
const tailLines = 1000;

/** The end of a log and what is written to it from then on, in pieces as they come: nothing of it is kept. */
export async function* podLog(
  { pod, container, isPrevious }: LogChoice,
  { client, cluster, signal }: PodLogOptions,
): AsyncGenerator<readonly LogMessage[]> {
  const path = keyPath(Pod, pod, "log");
  if (path === undefined) return yield [{ type: "Failed", why: `${pod} names no Pod` }];
  try {
    const query = { container, tailLines, ...(isPrevious ? { previous: true } : { follow: true }) };
    const pieces = await client.api.stream({ method: "GET", path, query, accept: "*/*", signal });
    yield [{ type: "Opened" }];
    const decoder = new TextDecoder();
    for await (const piece of pieces) yield [{ type: "Text", text: decoder.decode(piece, { stream: true }) }];
    if (!signal.aborted) yield [{ type: "Ended" }];
  } catch (error) {
    if (!signal.aborted) yield [{ type: "Failed", why: `the log cannot be read: ${failureText(error, cluster)}` }];
  }
}
