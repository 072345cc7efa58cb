/** A request from outside to stop, by Ctrl+C or `kill`. */
export interface StopSignals extends Disposable {
  /** Aborted by the first request. */
  readonly signal: AbortSignal;
  /** Resolves with the first request. */
  readonly first: Promise<void>;
}

/** Listens for requests to stop: the first one is waited for, the second one does not wait for anything. */
export function stopSignals(reason?: Error): StopSignals {
  const stopping = new AbortController();
  const { promise: first, resolve: stop } = Promise.withResolvers<void>();
  const onSignal = (_name: NodeJS.Signals, number: number): void => {
    if (stopping.signal.aborted) process.exit(128 + number);
    stopping.abort(reason);
    stop();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: stopping.signal,
    first,
    [Symbol.dispose]: () => process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
