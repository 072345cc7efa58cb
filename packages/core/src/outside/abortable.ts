import { onAbort } from "./aborted.ts";

/**
 * Waits for a promise no longer than the signal allows: rejects with its reason when it is aborted. The work itself goes on, and whatever becomes of it
 * then is nobody's concern.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  using _abort = onAbort(signal, aborted.reject);
  return await Promise.race([aborted.promise, promise]);
}
