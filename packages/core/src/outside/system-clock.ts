import { sleepOn } from "./clock.ts";
import type { Clock } from "./clock.ts";

/** `setTimeout` fires at once beyond 2^31-1 ms (about 25 days), so longer delays are waited for in pieces. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (delayMs, signal) => sleepOn(systemClock, delayMs, signal),
  timer: startTimer,
};

function startTimer(delayMs: number, callback: () => void): Disposable {
  if (delayMs <= longestTimeoutMs) return setTimeout(callback, Math.max(0, delayMs));
  let handle: NodeJS.Timeout;
  const wait = (remainingMs: number): void => {
    const pieceMs = Math.min(remainingMs, longestTimeoutMs);
    handle = setTimeout(() => (remainingMs > pieceMs ? wait(remainingMs - pieceMs) : callback()), pieceMs);
  };
  wait(delayMs);
  return { [Symbol.dispose]: () => clearTimeout(handle) };
}
