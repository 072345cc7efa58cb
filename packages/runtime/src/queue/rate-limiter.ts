import { durationMs } from "@kaji/core";
import type { Clock, DurationLike } from "@kaji/core";

/** Says how long a key must wait before it is tried again. */
export interface RateLimiter<Key> {
  /** Counts another attempt, and says when it may be made. */
  delayMs(key: Key): number;
  /** How often the key was delayed since it was forgotten. */
  attempts(key: Key): number;
  /** The key did well: nothing is known of it any more. */
  forget(key: Key): void;
}

/** How delays grow. */
export interface BackoffOptions {
  /** The first delay. Default 5 ms. */
  readonly base?: DurationLike;
  /** The longest. Default 1000 s. */
  readonly max?: DurationLike;
}

/** Each attempt of a key waits twice as long as the one before. It keeps a number for each key that fails, and nothing for others. */
export function exponentialBackoff<Key>({ base = 5, max = 1_000_000 }: BackoffOptions = {}): RateLimiter<Key> {
  const [baseMs, maxMs] = [durationMs(base), durationMs(max)];
  const attempts = new Map<Key, number>();
  return {
    delayMs(key) {
      const attempt = attempts.get(key) ?? 0;
      attempts.set(key, attempt + 1);
      return Math.min(maxMs, baseMs * 2 ** attempt);
    },
    attempts: (key) => attempts.get(key) ?? 0,
    forget: (key) => void attempts.delete(key),
  };
}

/** All keys together make no more than so many attempts a second, after a first burst. Default 10 a second, in bursts of 100. */
export function tokenBucket<Key>(
  clock: Pick<Clock, "monotonic">,
  { perSecond = 10, burst = 100 }: { readonly perSecond?: number; readonly burst?: number } = {},
): RateLimiter<Key> {
  let tokens = burst;
  let countedMs = clock.monotonic();
  return {
    delayMs() {
      const nowMs = clock.monotonic();
      tokens = Math.min(burst, tokens + ((nowMs - countedMs) * perSecond) / 1000) - 1;
      countedMs = nowMs;
      // A debt of tokens is a place in the line.
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
    },
    attempts: () => 0,
    forget: () => undefined,
  };
}

/** As slow as the slowest of several. */
export function slowestOf<Key>(...limiters: readonly RateLimiter<Key>[]): RateLimiter<Key> {
  return {
    delayMs: (key) => Math.max(0, ...limiters.map((limiter) => limiter.delayMs(key))),
    attempts: (key) => Math.max(0, ...limiters.map((limiter) => limiter.attempts(key))),
    forget: (key) => limiters.forEach((limiter) => limiter.forget(key)),
  };
}
