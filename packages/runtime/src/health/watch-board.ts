import type { Clock, ListerWatcher, ListerWatcherScope, ListerWatcherSource, Resource } from "@kaji/core";
import { kindId } from "../declare/kind-id.ts";

/** The watch of one kind in one scope. */
export interface WatchStatus {
  readonly resource: Resource;
  readonly scope: ListerWatcherScope;
  /** When the server last sent something; undefined when it never has. */
  readonly heardMs: number | undefined;
  /** Since when every request fails, and how the last one did; undefined when the last one was answered. */
  readonly failure: { readonly sinceMs: number; readonly error: unknown } | undefined;
}

/** Knows of every watch when the server was last heard on it. Times are of the monotonic clock. */
export class WatchBoard {
  readonly #clock: Clock;
  /** By kind and scope: one that is watched again, as by a controller that was given it anew, is the same watch. */
  readonly #watches = new Map<string, Writable<WatchStatus>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get watches(): Iterable<WatchStatus> {
    return this.#watches.values();
  }

  /** A source whose lists and watches are known here. */
  observe(source: ListerWatcherSource): ListerWatcherSource {
    return (resource, scope) => {
      const id = `${kindId(resource)} ${JSON.stringify(scope)}`;
      const watch = this.#watches.get(id) ?? { resource, scope, heardMs: undefined, failure: undefined };
      this.#watches.set(id, watch);
      const heard = (): void => {
        watch.heardMs = this.#clock.monotonic();
        watch.failure = undefined;
      };
      return observed(source(resource, scope), heard, (error) => {
        watch.failure = { sinceMs: watch.failure?.sinceMs ?? this.#clock.monotonic(), error };
      });
    };
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function observed(inner: ListerWatcher, heard: () => void, failed: (error: unknown) => void): ListerWatcher {
  const told = async <T>(request: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      const response = await request;
      heard();
      return response;
    } catch (error) {
      // A request that its caller aborted is no failure of the server.
      if (!signal.aborted) failed(error);
      throw error;
    }
  };
  return {
    list: (options) => told(inner.list(options), options.signal),
    async watch(options) {
      const body = await told(inner.watch(options), options.signal);
      return { [Symbol.asyncIterator]: () => observedPieces(body[Symbol.asyncIterator](), heard) };
    },
  };
}

/** Notes each piece when the next one is asked for, which costs no further promise per piece. */
function observedPieces(inner: AsyncIterator<Uint8Array>, heard: () => void): AsyncIterator<Uint8Array> {
  return {
    next() {
      heard();
      return inner.next();
    },
    return: async () => (await inner.return?.()) ?? { done: true, value: undefined },
  };
}
