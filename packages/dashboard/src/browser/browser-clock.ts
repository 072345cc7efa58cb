/** What could not be had is tried again after this. */
export const retryMs = 1000;

/** The time of the browser. */
export const browserClock = {
  now: (): number => Date.now(),
  /** Calls back once after the delay. */
  timer: (delayMs: number, callback: () => void): void => void setTimeout(callback, delayMs),
  sleep: (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs)),
};
