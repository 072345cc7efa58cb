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
  /** The longest. Default 2 min. */
  readonly max?: DurationLike;
}

/** How retries are delayed: how delays grow, or a function that makes a limiter. A limiter counts attempts, so that each queue has its own. */
export type Backoff<Key> = BackoffOptions | ((clock: Pick<Clock, "monotonic">) => RateLimiter<Key>);

/** The rate limiter that a `backoff` option describes. */
export function limiterOf<Key>(backoff: Backoff<Key>, clock: Pick<Clock, "monotonic">): RateLimiter<Key> {
  return typeof backoff === "function" ? backoff(clock) : exponentialBackoff(backoff);
}

/** Each attempt of a key waits twice as long as the one before. */
export function exponentialBackoff<Key>({ base = 5, max = 120_000 }: BackoffOptions = {}): RateLimiter<Key> {
  const [baseMs, maxMs] = [durationMs(base), durationMs(max)];
  return byAttempts((before) => Math.min(maxMs, baseMs * 2 ** before));
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
      // Negative tokens are attempts that wait already: the next one comes after them.
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
    },
    attempts: () => 0,
    forget: () => undefined,
  };
}

/** The first attempts of a key wait for a short time, and all after them for a long one. */
export function fastThenSlow<Key>({ fast, slow, fastAttempts }: FastSlowOptions): RateLimiter<Key> {
  const [fastMs, slowMs] = [durationMs(fast), durationMs(slow)];
  return byAttempts((before) => (before < fastAttempts ? fastMs : slowMs));
}

/** How long attempts wait, and how many of them are quick. */
export interface FastSlowOptions {
  readonly fast: DurationLike;
  readonly slow: DurationLike;
  readonly fastAttempts: number;
}

/** As another, but no attempt waits for longer than this. */
export function withMaxWait<Key>(limiter: RateLimiter<Key>, max: DurationLike): RateLimiter<Key> {
  const maxMs = durationMs(max);
  return {
    delayMs: (key) => Math.min(maxMs, limiter.delayMs(key)),
    attempts: (key) => limiter.attempts(key),
    forget: (key) => limiter.forget(key),
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

/** Delays that follow from how many attempts of the key there were before. It keeps a number for each failing key, and nothing for all other keys. */
function byAttempts<Key>(delayAfterMs: (before: number) => number): RateLimiter<Key> {
  const attempts = new Map<Key, number>();
  return {
    delayMs(key) {
      const before = attempts.get(key) ?? 0;
      attempts.set(key, before + 1);
      return delayAfterMs(before);
    },
    attempts: (key) => attempts.get(key) ?? 0,
    forget: (key) => void attempts.delete(key),
  };
}
