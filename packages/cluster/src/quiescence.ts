import type { Transport } from "@kaji/core";

/** What tells whether anything is going on. */
export interface QuiescenceSources {
  /** Grows with every write. */
  readonly revision: () => number;
  /** Whether anybody has something left to do, of those who say so. */
  readonly isBusy: () => boolean;
}

/**
 * Knows when nothing is left to happen before the next timer.
 *
 * In one process everything that follows on something follows within a few turns of the event loop, unless it waits for the world outside:
 * requests under way are counted for that, and work in flight is asked for.
 */
export class Quiescence {
  readonly #sources: QuiescenceSources;
  #requests = 0;

  constructor(sources: QuiescenceSources) {
    this.#sources = sources;
  }

  /** A way to the server on which requests are counted while they wait for their answers. */
  counting(transport: Transport): Transport {
    return async (request) => {
      this.#requests++;
      try {
        return await transport(request);
      } finally {
        this.#requests--;
      }
    };
  }

  /** Resolves when nothing has happened for some turns of the event loop. */
  async settled(): Promise<void> {
    let revision = -1;
    for (let quietTurns = 0; quietTurns < quietEnough; quietTurns++) {
      await turn();
      const now = this.#sources.revision();
      if (now !== revision || this.#requests > 0 || this.#sources.isBusy()) quietTurns = 0;
      revision = now;
    }
  }
}

/** How many turns without a sign of life mean that there is none: an event takes one from storage to watcher, one to the handler, one to the worker. */
const quietEnough = 6;

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
