import type { Random } from "@kaji/core";

/** How long to wait after failures that follow one another. */
export interface Backoff {
  /** The delay after one more failure. */
  nextMs(): number;
  /** All is well again: the next failure is a first one. */
  reset(): void;
}

/** The first delay. */
const baseMs = 500;
/** The longest, as in client-go. */
const maxMs = 30_000;

/** Doubles from the base up to the ceiling; chance takes away up to half of it, so that clients which failed together do not come back together. */
export function exponentialBackoff(random: Random): Backoff {
  let failures = 0;
  return {
    nextMs() {
      const delayMs = Math.min(maxMs, baseMs * 2 ** failures);
      failures++;
      return delayMs * (1 - random.next() / 2);
    },
    reset() {
      failures = 0;
    },
  };
}
