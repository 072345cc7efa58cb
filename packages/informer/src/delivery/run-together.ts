/** What runs until it is aborted. */
interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

/** Runs all until aborted. The first that fails ends the others, and is the one reported once they have ended. */
export async function runTogether(runnables: readonly Runnable[], signal: AbortSignal): Promise<void> {
  const [first, ...others] = runnables;
  // Nearly always there is one, and a signal that follows two others is dear.
  if (first !== undefined && others.length === 0) return first.run(signal);
  const failure = new AbortController();
  const scope = AbortSignal.any([signal, failure.signal]);
  await Promise.allSettled(runnables.map((runnable) => runnable.run(scope).catch((error: unknown) => failure.abort(error))));
  if (failure.signal.aborted) throw failure.signal.reason;
}
