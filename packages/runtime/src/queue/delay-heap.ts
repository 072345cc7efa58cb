/** An entry of the heap. Only the heap sets its index. */
export interface Delayed {
  dueMs: number;
  /** Where it is in the heap; -1 when it is in none. */
  heapIndex: number;
}

/** Delayed entries, the one that is due first on top. Any of them can be removed, so that no stale entry is kept. */
export class DelayHeap<D extends Delayed> {
  /** A binary heap by `dueMs`; `heapIndex` of each is its place here. */
  readonly #items: D[] = [];

  get size(): number {
    return this.#items.length;
  }

  get first(): D | undefined {
    return this.#items[0];
  }

  /** Adds it, or moves it to where its new time belongs. */
  put(item: D, dueMs: number): void {
    item.dueMs = dueMs;
    if (item.heapIndex < 0) {
      item.heapIndex = this.#items.length;
      this.#items.push(item);
    }
    this.#settle(item);
  }

  remove(item: D): void {
    const index = item.heapIndex;
    if (index < 0) return;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last === undefined || last === item) return;
    this.#place(last, index);
    this.#settle(last);
  }

  /** Takes out all there are. */
  clear(): readonly D[] {
    return this.#items.splice(0);
  }

  #settle(item: D): void {
    this.#rise(item);
    this.#sink(item);
  }

  #rise(item: D): void {
    while (item.heapIndex > 0) {
      const parentIndex = (item.heapIndex - 1) >> 1;
      const parent = this.#items[parentIndex];
      if (parent === undefined || parent.dueMs <= item.dueMs) return;
      this.#place(parent, item.heapIndex);
      this.#place(item, parentIndex);
    }
  }

  #sink(item: D): void {
    for (;;) {
      const left = this.#items[2 * item.heapIndex + 1];
      const right = this.#items[2 * item.heapIndex + 2];
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= item.dueMs) return;
      const childIndex = child.heapIndex;
      this.#place(child, item.heapIndex);
      this.#place(item, childIndex);
    }
  }

  #place(item: D, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }
}
