/** A page is of 1,024 slots. */
const pageBits = 10;
const pageSize = 1 << pageBits;

/** The first page begins with so few, which are inside the heap: many columns have no more. */
const smallestPage = 16;

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
    const at = slot & (pageSize - 1);
    let page = this.#pages[index];
    if (page === undefined || at >= page.length) page = this.#pages[index] = enlarged(page, index === 0 ? at : pageSize - 1);
    page[at] = value;
  }
}

/** A page with the same numbers and room for one more at this place. */
function enlarged(page: Uint32Array | undefined, at: number): Uint32Array {
  let size = page?.length ?? smallestPage;
  while (size <= at) size *= 4;
  const larger = new Uint32Array(Math.min(size, pageSize));
  if (page !== undefined) larger.set(page);
  return larger;
}
