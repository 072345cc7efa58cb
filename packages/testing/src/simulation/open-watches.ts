import type { Clock, TransportRequest, TransportResponse } from "@kaji/core";
import { HeardChanges } from "./heard-event.ts";
import type { HeardEvent } from "./heard-event.ts";
import { WatchStream } from "./watch-stream.ts";
import type { FrameFate } from "./watch-stream.ts";

/** The watches of a process that are open, on each of which what is heard may come late. */
export class OpenWatches {
  readonly #clock: Clock;
  readonly #streams = new Set<WatchStream>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether something is on its way that nobody holds. */
  get isBusy(): boolean {
    for (const stream of this.#streams) if (stream.isBusy) return true;
    return false;
  }

  /** The answer to a watch, until it is aborted; `fateOf` is given the change that each frame brings, or undefined where it brings none. */
  open(request: TransportRequest, response: TransportResponse, fateOf: (change: HeardEvent | undefined) => FrameFate): TransportResponse {
    const changes = new HeardChanges(request);
    const stream = new WatchStream(response.body, this.#clock, (frame) => fateOf(changes.next(frame)));
    this.#streams.add(stream);
    request.signal?.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    return { ...response, body: stream };
  }

  /** Lets go of what is held. */
  release(): void {
    for (const stream of this.#streams) stream.release();
  }

  /** Forgets all of them. */
  clear(): void {
    this.#streams.clear();
  }
}
