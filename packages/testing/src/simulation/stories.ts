import { fileURLToPath } from "node:url";
import { relative } from "node:path";
import { callSite } from "../call-site.ts";
import type { TraceEntry } from "./trace-entry.ts";

/** What is between the operator's code and the trace. */
const here = new URL(".", import.meta.url).href;

/** What a report tells of a write or a failure beyond the trace. */
export interface Story {
  /** From where it comes; its text is made only if it is asked for. */
  readonly stack: Error;
  /** What was written, in short. */
  readonly written?: string;
}

/** It is no part of the trace: runs are compared, and files move. */
const stories = new WeakMap<TraceEntry, Story>();

/** Remembers the story of something that a trace tells of. */
export function rememberStory(entry: TraceEntry, story: Story): void {
  stories.set(entry, story);
}

/** What was written, in short; undefined if it is not known. */
export function writtenIn(entry: TraceEntry): string | undefined {
  return stories.get(entry)?.written;
}

/** The line of the operator's own code that did it, such as `reconcile (src/database.ts:12:20)`; undefined if it is not known. */
export function callerOf(entry: TraceEntry): string | undefined {
  const stack = stories.get(entry)?.stack;
  const site = stack === undefined ? undefined : callSite(stack, [here]);
  return site
    ?.replace(/^at (?:async )?(?:Object\.)?/, "")
    .replace(/file:\/\/[^\s:)]+/, (url) => relative(process.cwd(), fileURLToPath(url)));
}
