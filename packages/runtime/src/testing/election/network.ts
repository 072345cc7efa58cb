import type { Clock, Random } from "@kaji/core";

/** How the network between a candidate and the server is. It may change at any time. */
export interface Network {
  /** How long a message takes one way, at most. */
  delayMs: number;
  /** How likely it is that a message is lost. */
  loss: number;
}

/** The way of messages between a candidate and the server. */
export class Wire {
  readonly #network: Network;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(network: Network, clock: Clock, random: Random) {
    this.#network = network;
    this.#clock = clock;
    this.#random = random;
  }

  /** Lets a message pass, one way; undefined: it is there at once. */
  travel(signal: AbortSignal): Promise<void> | undefined {
    const { loss, delayMs } = this.#network;
    const isLost = this.#random.next() < loss;
    signal.throwIfAborted();
    if (!isLost && delayMs === 0) return undefined;
    return this.#clock.sleep(isLost ? 1e9 : this.#random.next() * delayMs, signal);
  }

  /** A request and its answer, either of which may be lost. */
  async exchange<T>(answer: () => T, signal: AbortSignal): Promise<T> {
    const there = this.travel(signal);
    if (there !== undefined) await there;
    const result = attempt(answer);
    const back = this.travel(signal);
    if (back !== undefined) await back;
    return result();
  }
}

function attempt<T>(answer: () => T): () => T {
  try {
    const value = answer();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
