import { fileURLToPath } from "node:url";
import { relative } from "node:path";
import { callSite } from "../call-site.ts";
import type { TraceEntry } from "./trace.ts";

/** What is between the operator's code and the trace. */
const here = new URL(".", import.meta.url).href;

/** Who did what a trace tells of. It is no part of the trace: runs are compared, and files move. */
const callers = new WeakMap<TraceEntry, Error>();

/** Remembers the stack from which something was done; its text is made only if it is asked for. */
export function rememberCaller(entry: TraceEntry, stack: Error): void {
  callers.set(entry, stack);
}

/** The line of the operator's own code that did it, such as `reconcile (src/database.ts:12:20)`; undefined if it is not known. */
export function callerOf(entry: TraceEntry): string | undefined {
  const stack = callers.get(entry);
  const site = stack === undefined ? undefined : callSite(stack, [here]);
  return site
    ?.replace(/^at (?:async )?(?:Object\.)?/, "")
    .replace(/file:\/\/[^\s:)]+/, (url) => relative(process.cwd(), fileURLToPath(url)));
}
