/** Things of which there are only so many, such as addresses and ports, each in the hands of at most one. */
export interface ScarcePool<T> {
  /** What the pool has, as its messages say. */
  readonly range: string;
  has(item: T): boolean;
  /** How many items there are. */
  readonly size: number;
  /** How many of them are handed out first where none is asked for by name. The others are kept for those who ask, as long as that can be. */
  readonly dynamic: number;
  /** The items, those first that are handed out first. */
  at(index: number): T;
  /** What is shown to those who only try, given what they were shown before. */
  sample(shown: readonly T[]): T;
}

/**
 * Keeps what is handed out but not in storage yet from being handed out again. What is in storage is asked for each time, so that
 * nothing needs to be given back.
 */
export class Reservations<T> {
  readonly #state: HandedOut<T> = { pending: new Set(), next: 0 };

  /** What one write takes of a pool; `isStored` says what is taken already. */
  open(pool: ScarcePool<T>, isStored: (item: T) => boolean): Hand<T> {
    return new Hand(pool, this.#state, isStored);
  }
}

/** What the writes of one server share. */
interface HandedOut<T> {
  /** Handed out to writes that are still on their way. */
  readonly pending: Set<T>;
  /** Where the next free item is looked for: after the last that was handed out, since those before it are taken for the most part. */
  next: number;
}

/** What one write has taken. */
export class Hand<T> {
  readonly pool: ScarcePool<T>;
  readonly taken: T[] = [];
  readonly #state: HandedOut<T>;
  readonly #isStored: (item: T) => boolean;

  constructor(pool: ScarcePool<T>, state: HandedOut<T>, isStored: (item: T) => boolean) {
    this.pool = pool;
    this.#state = state;
    this.#isStored = isStored;
  }

  /** Takes an item for the duration of the write, if it is free. */
  take(item: T): boolean {
    if (this.#state.pending.has(item) || this.#isStored(item)) return false;
    this.#state.pending.add(item);
    this.taken.push(item);
    return true;
  }

  /** Takes the next item that is free; undefined when all are taken. */
  takeNext(): T | undefined {
    const { size, dynamic } = this.pool;
    const { next } = this.#state;
    for (let count = 0; count < size; count++) {
      const index = count < dynamic ? (next + count) % dynamic : count;
      const item = this.pool.at(index);
      if (!this.take(item)) continue;
      if (index < dynamic) this.#state.next = index + 1;
      return item;
    }
    return undefined;
  }

  /** Shows what a write that is only tried out might get. */
  pretend(): T {
    const item = this.pool.sample(this.taken);
    this.taken.push(item);
    return item;
  }

  /** The write is over: what was handed out for it is in storage now, or free again. */
  settle(): void {
    for (const item of this.taken) this.#state.pending.delete(item);
  }
}

const ports = { first: 30_000, dynamic: 30_086, last: 32_767 } as const;

/** The ports of services on every node. The first eighty-six are kept for those who ask for one. */
export const nodePorts: ScarcePool<number> = {
  range: `${ports.first}-${ports.last}`,
  has: (port) => port >= ports.first && port <= ports.last,
  size: ports.last - ports.first + 1,
  dynamic: ports.last - ports.dynamic + 1,
  at: (index) => (ports.dynamic + index <= ports.last ? ports.dynamic + index : ports.first + index - (ports.last - ports.dynamic + 1)),
  sample: (shown) => (shown.length === 0 ? 32_769 : Math.max(...shown) + 1),
};
