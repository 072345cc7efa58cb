/** Slots in a page: a power of two. */
const pageSize = 1024;

/** A value for each slot, in pages: an array that grows is copied each time, and leaves copies in the old generation, where garbage stays for long. */
export class SlotColumn<V> {
  readonly #pages: V[][] = [];
  #length = 0;

  /** One more than the largest slot that has had a value. */
  get length(): number {
    return this.#length;
  }

  get(slot: number): V | undefined {
    return this.#pages[Math.floor(slot / pageSize)]?.[slot % pageSize];
  }

  /** Sets the value of a slot that has had one, or of the next. */
  set(slot: number, value: V): void {
    if (slot > this.#length) throw new RangeError(`slot ${slot} is beyond the next, ${this.#length}`);
    const page = (this.#pages[Math.floor(slot / pageSize)] ??= []);
    page[slot % pageSize] = value;
    this.#length = Math.max(this.#length, slot + 1);
  }
}
