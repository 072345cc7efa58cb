/** A map that remembers what was set last, and forgets the rest: at least the last `limit` entries, and at most twice as many. */
export class RecentMap<K, V> {
  readonly #limit: number;
  /** What was set since the last turn; never more than `#limit`. */
  #recent = new Map<K, V>();
  /** What was set before that. */
  #older: ReadonlyMap<K, V> = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: K, value: V): void {
    if (this.#recent.size >= this.#limit) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
