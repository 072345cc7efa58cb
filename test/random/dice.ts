import { randomBelow } from "@kaji/core";
import type { Random } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";

/** Choices that are the same for the same seed. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return randomBelow(this.#random, limit);
  }

  /** One of the items. */
  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("there is nothing to choose from");
    return item;
  }

  /** True once in so many times. */
  onceIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Any bytes. */
  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
