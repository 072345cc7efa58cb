import { backoffMs, durationMs, formatKind, isReason, objectKey } from "@kaji/core";
import type { Clock, DurationLike, KubeList, KubeObject, NamespacedName, Random, Resource } from "@kaji/core";
import type { WatchEvent } from "./response/watch-event.ts";
import { TransportError } from "./transport-error.ts";

/** For how long to wait. */
export interface WaitOptions {
  /** After it a `WaitTimeoutError` is thrown. Default: none, it may take as long as it takes. */
  readonly timeout?: DurationLike | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was waited for has not come in time. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
}

/** Looks at the one object that is waited for. */
export interface WaitTarget<T extends KubeObject> {
  /** A list of the object alone; empty if it is not there. */
  list(signal: AbortSignal): Promise<KubeList<T>>;
  /** What happens to it after a version. */
  watch(resourceVersion: string | undefined, signal: AbortSignal): AsyncIterable<WatchEvent<T>>;
}

/** Short at first: a server ends watches in order. */
const watchBackoff = { baseMs: 50, maxMs: 5000 };

/** Waits until an object is as `found` wants it, which returns the answer then, and undefined before. It is asked with undefined for one that is not there. */
export async function waitForObject<T extends KubeObject, Found>(
  target: WaitTarget<T>,
  found: (object: T | undefined) => Found | undefined,
  { clock, random, signal, timeout, of, address }: WaitOptions & WaitContext,
): Promise<Found> {
  const end = new AbortController();
  const timeoutMs = timeout === undefined ? undefined : durationMs(timeout);
  let isThere = false;
  using _timer = timeoutMs === undefined ? undefined : clock.timer(timeoutMs, () => end.abort(inVain(of, address, timeout, isThere)));
  const scope = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
  for (let attempt = 0; ; attempt++) {
    const { metadata, items } = await target.list(scope);
    const [present] = items;
    isThere = present !== undefined;
    const answer = found(present);
    if (answer !== undefined) return answer;
    try {
      for await (const event of target.watch(metadata.resourceVersion, scope)) {
        if (event.type === "BOOKMARK") continue;
        attempt = 0;
        isThere = event.type !== "DELETED";
        const later = found(isThere ? event.object : undefined);
        if (later !== undefined) return later;
      }
    } catch (error) {
      // A watch may break, or what it goes on from be forgotten. Whether the server is there at all the next list tells.
      if (scope.aborted || !(error instanceof TransportError || isReason(error, "Expired", "Gone"))) throw error;
    }
    await clock.sleep(backoffMs(attempt, watchBackoff, random), scope);
  }
}

/** What is waited for, and with what. */
interface WaitContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly of: Resource;
  readonly address: NamespacedName;
}

function inVain(of: Resource, address: NamespacedName, timeout: DurationLike | undefined, isThere: boolean): WaitTimeoutError {
  const state = isThere ? "is there, and not as wanted" : "is not there";
  return new WaitTimeoutError(`${formatKind(of)} ${objectKey(address)} ${state}, after ${String(timeout)} of waiting`);
}
