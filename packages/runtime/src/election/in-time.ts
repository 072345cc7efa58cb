import { TransportError } from "@kaji/client";
import type { Clock } from "@kaji/core";
import { blockedMs } from "./pause.ts";

/**
 * Makes a request with a timeout, and does not wait longer even if the request ignores its signal. Reports for how long the event loop was blocked, if that
 * is why the time is over.
 */
export function inTime<T>(
  clock: Clock,
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<T>,
  onLate: (lateMs: number) => void = () => {},
): Promise<T> {
  const end = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const dueMs = clock.monotonic() + timeoutMs;
  const timer = clock.timer(timeoutMs, () => {
    onLate(blockedMs(clock, dueMs));
    const error = new TransportError("TimedOut", `no answer within ${Math.round(timeoutMs)} ms`);
    reject(error);
    end.abort(error);
  });
  const stop = (): void => timer[Symbol.dispose]();
  request(end.signal).finally(stop).then(resolve, reject);
  return promise;
}
