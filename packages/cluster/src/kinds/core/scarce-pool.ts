/** Things of which there are only so many, such as addresses and ports, each in the hands of at most one. */
export interface ScarcePool<T> {
  /** What the pool has, as its messages say. */
  readonly range: string;
  has(item: T): boolean;
  /** Items in the order in which they are handed out where none is asked for by name. */
  items(): Iterable<T>;
  /** What is shown to those who only try, given what they were shown before. */
  sample(shown: readonly T[]): T;
}

/**
 * Keeps what is handed out but not in storage yet from being handed out again. What is in storage is asked for each time, so that
 * nothing needs to be given back.
 */
export class Reservations<T> {
  readonly pool: ScarcePool<T>;
  /** Handed out to writes that are still on their way. */
  readonly #pending = new Set<T>();

  constructor(pool: ScarcePool<T>) {
    this.pool = pool;
  }

  /** What one write takes; `stored` says what is taken already, and is asked only if the write takes something. */
  open(stored: () => Iterable<T>): Hand<T> {
    return new Hand(this.pool, this.#pending, stored);
  }
}

/** What one write has taken. */
export class Hand<T> {
  readonly pool: ScarcePool<T>;
  readonly taken: T[] = [];
  readonly #pending: Set<T>;
  readonly #stored: () => Iterable<T>;
  #known: ReadonlySet<T> | undefined;

  constructor(pool: ScarcePool<T>, pending: Set<T>, stored: () => Iterable<T>) {
    this.pool = pool;
    this.#pending = pending;
    this.#stored = stored;
  }

  /** Takes an item for the duration of the write, if it is free. */
  take(item: T): boolean {
    this.#known ??= new Set(this.#stored());
    if (this.#known.has(item) || this.#pending.has(item)) return false;
    this.#pending.add(item);
    this.taken.push(item);
    return true;
  }

  /** Takes the next item that is free; undefined when all are taken. */
  takeNext(): T | undefined {
    for (const item of this.pool.items()) if (this.take(item)) return item;
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
    for (const item of this.taken) this.#pending.delete(item);
  }
}

/** The addresses of services: 10.0.0.0/24, as the real server has it by default. The first sixteen are kept for those who ask for one. */
export const serviceIps: ScarcePool<string> = {
  range: "10.0.0.0/24",
  has: (ip) => /^10\.0\.0\.(\d{1,3})$/.test(ip) && isBetween(Number(ip.slice("10.0.0.".length)), 1, 254),
  *items() {
    for (let last = 17; last <= 254; last++) yield `10.0.0.${last}`;
    for (let last = 1; last <= 16; last++) yield `10.0.0.${last}`;
  },
  sample: () => "10.0.0.0",
};

/** The ports of services on every node. The first eighty-six are kept for those who ask for one. */
export const nodePorts: ScarcePool<number> = {
  range: "30000-32767",
  has: (port) => isBetween(port, 30_000, 32_767),
  *items() {
    for (let port = 30_086; port <= 32_767; port++) yield port;
    for (let port = 30_000; port < 30_086; port++) yield port;
  },
  sample: (shown) => (shown.length === 0 ? 32_769 : Math.max(...shown) + 1),
};

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
