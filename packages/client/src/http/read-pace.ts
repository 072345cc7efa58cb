import type { Clock } from "@kaji/core";

/** A connection that brings so many bytes in a millisecond is sending what it has, and not what happens. */
const bulkBytesPerMs = 4000;
/** Whoever reads so much at once reads seldom enough. */
const muchBytes = 32 * 1024;
const restMs = 4;

/**
 * Says how long not to look at a connection on which much arrives in small pieces.
 *
 * A server writes a list, or what a watch has missed, object by object, and each would wake the process. With pauses of a few milliseconds such an event takes less than half of the
 * processor time that it took (`npm run bench -- transport`), and the list no more time. What happens a few hundred times a second is never kept waiting.
 */
export class ReadPace {
  readonly #clock: Clock;
  #sinceMs: number;
  #bytes = 0;
  #isBulk = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonic();
  }

  /** How long to rest, now that all of what had arrived has been read: so many bytes. */
  restAfter(bytes: number): number {
    const lastedMs = this.#clock.monotonic() - this.#sinceMs;
    this.#bytes += bytes;
    if (lastedMs >= restMs) {
      this.#isBulk = this.#bytes > bulkBytesPerMs * lastedMs;
      this.#bytes = 0;
      this.#sinceMs += lastedMs;
    }
    return this.#isBulk && bytes < muchBytes ? restMs : 0;
  }
}
