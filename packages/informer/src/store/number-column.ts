/** A page is of 1,024 slots. */
const pageBits = 10;
const pageSize = 1 << pageBits;

/** A number from 0 to 2^32-1 for each slot, in pages outside the JavaScript heap; 0 for a slot that has had none. */
export class NumberColumn {
  readonly #pages: Uint32Array[] = [];

  get(slot: number): number {
    return this.#pages[slot >>> pageBits]?.[slot & (pageSize - 1)] ?? 0;
  }

  /** Sets the number of any slot up to the first page that there is none of. */
  set(slot: number, value: number): void {
    const index = slot >>> pageBits;
    if (index > this.#pages.length) throw new RangeError(`slot ${slot} is beyond the next page, ${this.#pages.length}`);
    const page = (this.#pages[index] ??= new Uint32Array(pageSize));
    page[slot & (pageSize - 1)] = value;
  }
}
