import type { Transport } from "@kaji/core";
import { nextTurn } from "./next-turn.ts";

/**
 * Knows when nothing is left to happen before the next timer.
 *
 * In one process everything that follows on something follows within a few turns of the event loop, unless it waits for the world outside:
 * requests under way are counted for that, and work in flight is asked for.
 */
export class Quiescence {
  readonly #revision: () => number;
  readonly #included = new Set<() => boolean>();
  #requests = 0;

  /** The revision grows with every write. */
  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /** Asks this one too whether there is something left to do, until it is disposed of. */
  include(isBusy: () => boolean): Disposable {
    this.#included.add(isBusy);
    return { [Symbol.dispose]: () => this.#included.delete(isBusy) };
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
      await nextTurn();
      const now = this.#revision();
      if (now !== revision || this.#requests > 0 || this.#included.values().some((isBusy) => isBusy())) quietTurns = 0;
      revision = now;
    }
  }
}

/** How many turns without a sign of life mean that there is none: an event takes one from storage to watcher, one to the handler, one to the worker. */
const quietEnough = 6;
