import { ApiError, onAbort, refusal } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Storage } from "../storage/storage.ts";

/** How long a reader waits for a revision that has not been yet. */
const freshnessWaitMs = 3000;

/** Waits until the storage has reached a revision; a 504 when it does not do so in time. */
export async function waitForRevision(storage: Storage, revision: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  if (storage.currentRevision >= revision) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  using _reached = storage.subscribe("/", storage.currentRevision, (event) => {
    if (event.revision >= revision) resolve();
  });
  using _timer = clock.timer(freshnessWaitMs, resolve);
  // A caller in the same process may use one signal for all its requests.
  using _abort = onAbort(signal, () => resolve());
  await promise;
  if (storage.currentRevision < revision) throw tooLarge(revision, storage.currentRevision);
}

/** 504: the revision has not been yet. */
export function tooLarge(revision: number, current: number): ApiError {
  return refusal("Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** 410: the history asked for is gone. With a token, the list can go on, though no longer from one moment. */
export function expired(continueWith?: string): ApiError {
  if (continueWith === undefined) return refusal("Expired", "The resourceVersion for the provided list is too old.");
  const { status } = refusal(
    "Expired",
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, " +
      "or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an " +
      "inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
  );
  return new ApiError({ ...status, metadata: { continue: continueWith } });
}
