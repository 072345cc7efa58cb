import { backoffMs } from "@kaji/core";
import type { BackoffRange, Random } from "@kaji/core";

/** How long to wait after failures that follow one another. */
export interface Backoff {
  /** The delay after one more failure. */
  nextMs(): number;
  /** All is well again: the next failure is a first one. */
  reset(): void;
}

/** The longest is as in client-go. */
const delays: BackoffRange = { baseMs: 500, maxMs: 30_000 };

/** Doubles from the base up to the ceiling; jitter takes away up to half of it, so that clients which failed together do not retry together. */
export function exponentialBackoff(random: Random): Backoff {
  let failures = 0;
  return {
    nextMs: () => backoffMs(failures++, delays, random),
    reset() {
      failures = 0;
    },
  };
}
