/** What stands in a lane. Its neighbours are the lane's business. */
export interface Standing<E> {
  before: E | undefined;
  behind: E | undefined;
}

/** A line in which each joins at the end, and anybody can leave at no cost. */
export class Lane<E extends Standing<E>> {
  readonly priority: number;
  #first: E | undefined;
  #last: E | undefined;

  constructor(priority: number) {
    this.priority = priority;
  }

  get first(): E | undefined {
    return this.#first;
  }

  push(entry: E): void {
    entry.before = this.#last;
    if (this.#last === undefined) this.#first = entry;
    else this.#last.behind = entry;
    this.#last = entry;
  }

  remove(entry: E): void {
    if (entry.before === undefined) this.#first = entry.behind;
    else entry.before.behind = entry.behind;
    if (entry.behind === undefined) this.#last = entry.before;
    else entry.behind.before = entry.before;
    entry.before = undefined;
    entry.behind = undefined;
  }
}
