/**
 * What is known of the things that were met last. A thing that has not been met for long is forgotten, and can be found out again.
 *
 * It holds what it knows, unlike a weak map, but never much: a weak map that has become old keeps its young alive until the old are collected, as
 * would one of these that remembers more than is written between two collections of the young. It was most of what a busy server had to collect.
 */
export class RecentlyKnown<Key, Value> {
  /** The longest known first. */
  readonly #values = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }
}
