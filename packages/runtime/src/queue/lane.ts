/** An entry of a lane. Only the lane sets its neighbours. */
export interface Standing<E> {
  before: E | undefined;
  behind: E | undefined;
}

/** A queue in which entries join at the end, and any entry can leave in constant time. */
export class Lane<E extends Standing<E>> {
  readonly priority: number;
  #size = 0;
  #first: E | undefined;
  #last: E | undefined;

  constructor(priority: number) {
    this.priority = priority;
  }

  /** How many stand in it. */
  get size(): number {
    return this.#size;
  }

  get first(): E | undefined {
    return this.#first;
  }

  push(entry: E): void {
    this.#size++;
    entry.before = this.#last;
    if (this.#last === undefined) this.#first = entry;
    else this.#last.behind = entry;
    this.#last = entry;
  }

  remove(entry: E): void {
    this.#size--;
    if (entry.before === undefined) this.#first = entry.behind;
    else entry.before.behind = entry.behind;
    if (entry.behind === undefined) this.#last = entry.before;
    else entry.behind.before = entry.before;
    entry.before = undefined;
    entry.behind = undefined;
  }
}
