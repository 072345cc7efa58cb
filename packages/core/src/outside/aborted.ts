/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Calls back when the signal is aborted, at once if it is already, unless it is disposed of before. */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): Disposable {
  const listener = (): void => callback(signal?.reason);
  if (signal?.aborted === true) listener();
  else signal?.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", listener) };
}
