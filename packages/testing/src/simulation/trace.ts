import { createHash } from "node:crypto";
import { rememberStory } from "./stories.ts";
import type { Story } from "./stories.ts";
import type { Happening, TraceEntry } from "./trace-entry.ts";

/** What happened in a run. */
export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #nowMs: () => number;
  readonly #listeners: ((entry: TraceEntry) => void)[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Puts down what happened, with its story where it is to be told. */
  add(happening: Happening, story?: Story): void {
    const entry = { ...happening, atMs: this.#nowMs() };
    this.entries.push(entry);
    if (story !== undefined) rememberStory(entry, story);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Calls back with everything that happens from now on. */
  observe(listener: (entry: TraceEntry) => void): void {
    this.#listeners.push(listener);
  }
}

/** The same for two runs in which the same happened. */
export function traceHash(entries: readonly TraceEntry[]): string {
  const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
