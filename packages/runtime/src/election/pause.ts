import type { Clock } from "@kaji/core";

/** How often a pause looks whether it is being let run. */
const tickMs = 1000;
/** Timers are late by this much without anybody being to blame. */
const toleranceMs = 250;

/**
 * Waits until a moment of the monotonic clock, or until it is aborted; resolves at once, with its length, when the event loop stood still for longer than a moment. The length is right to a second:
 * the loop may have stopped at any time between two looks.
 */
export async function pauseBlocks(clock: Clock, untilMs: number, signal: AbortSignal): Promise<number> {
  for (;;) {
    const startMs = clock.monotonic();
    if (startMs >= untilMs || signal.aborted) return 0;
    // Timers are no finer than a millisecond, and may come a little early.
    const delayMs = Math.max(1, Math.min(tickMs, untilMs - startMs));
    try {
      await clock.sleep(delayMs, signal);
    } catch {
      return 0;
    }
    const lateMs = blockedMs(clock, startMs + delayMs);
    if (lateMs > 0) return lateMs + delayMs;
  }
}

/** For how long the event loop stood still, at least, if a timer that was due fires now; 0 when it is in time. */
export function blockedMs(clock: Clock, dueMs: number): number {
  const lateMs = clock.monotonic() - dueMs;
  return lateMs > toleranceMs ? lateMs : 0;
}
