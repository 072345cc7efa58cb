import type { Random } from "./random.ts";

/** Between which delays grow from attempt to attempt. */
export interface BackoffRange {
  /** The delay after the first attempt, before jitter. */
  readonly baseMs: number;
  /** No delay is longer. */
  readonly maxMs: number;
}

/** The delay after an attempt, counted from 0: doubled each time, then anything from half of it to all of it. */
export function backoffMs(attempt: number, { baseMs, maxMs }: BackoffRange, random: Pick<Random, "next">): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** attempt);
  return fullMs / 2 + (fullMs / 2) * random.next();
}
