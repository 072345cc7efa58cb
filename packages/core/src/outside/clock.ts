import { onAbort } from "./aborted.ts";

/** Where time comes from. Whatever waits or tells the time takes one, so that tests and simulations own time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as the wall clock has them: they may jump. */
  now(): number;
  /** Milliseconds since some moment in the past. They never go back; only differences mean something. */
  monotonic(): number;
  /** Resolves after the delay, or rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after the delay, unless it is disposed of before. */
  timer(delayMs: number, callback: () => void): Disposable;
}

/** Sleeps, and no longer than until the signal is aborted: then it resolves, where `sleep` itself rejects. */
export async function sleepUnlessAborted(clock: Pick<Clock, "sleep">, delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(delayMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Builds `sleep` on top of `timer`, so that a clock need only know one way to wait. */
export async function sleepOn(clock: Pick<Clock, "timer">, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using _timer = clock.timer(delayMs, resolve);
  using _abort = onAbort(signal, reject);
  await promise;
}
