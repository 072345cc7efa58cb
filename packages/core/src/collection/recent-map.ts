/**
 * A map that remembers the entries that were added last, up to a limit, and forgets the rest.
 *
 * Unlike a weak map it holds what it knows, but never much: a weak map that has become old keeps its young entries alive until the old generation is collected.
 */
export class RecentMap<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, V>();
  /** Stands before the entry that was added first of those that are left. */
  readonly #oldest: MapIterator<K> = this.#entries.keys();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    const { value: oldest, done } = this.#oldest.next();
    if (done !== true) this.#entries.delete(oldest);
  }

  /** What is left, the one that was added first at the beginning. */
  values(): MapIterator<V> {
    return this.#entries.values();
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
