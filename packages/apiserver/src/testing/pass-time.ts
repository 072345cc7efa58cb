import type { ManualClock } from "@kaji/core/testing";

/** Lets time pass until something has come to an end, and the network of this process do its work in between: far more than a turn takes. */
export async function passTime<T>(clock: ManualClock, end: Promise<T>): Promise<T> {
  const over = new AbortController();
  void end.finally(() => over.abort()).catch(() => {});
  while (!over.signal.aborted) {
    await new Promise(setImmediate);
    await clock.advance(10);
  }
  return end;
}
