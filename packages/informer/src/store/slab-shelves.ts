import type { Slab } from "./slab.ts";

/** So finely are slabs told apart by how much of them is garbage. */
const shelfCount = 16;
/** Slabs on the shelves from here on have too little garbage to be worth compacting. */
const fullShelf = 14;

/** Slabs sorted roughly by how much of their text is live, so that the emptiest is found without looking at all of them. */
export class SlabShelves {
  /** Each made for the first slab on it. */
  readonly #shelves: (Set<Slab> | undefined)[] = Array.from({ length: shelfCount + 1 });
  readonly #shelfOf = new Map<Slab, Set<Slab>>();

  /** How much memory all of them take. */
  get sizeBytes(): number {
    let sum = 0;
    for (const slab of this.#shelfOf.keys()) sum += slab.sizeBytes;
    return sum;
  }

  /** Adds a slab, or moves it to where it belongs by now. */
  put(slab: Slab): void {
    const shelf = (this.#shelves[Math.floor((slab.live / Math.max(1, slab.used)) * shelfCount)] ??= new Set());
    const before = this.#shelfOf.get(slab);
    if (shelf === before) return;
    before?.delete(slab);
    shelf.add(slab);
    this.#shelfOf.set(slab, shelf);
  }

  /** Removes a slab; false if it is not there. */
  delete(slab: Slab): boolean {
    this.#shelfOf.get(slab)?.delete(slab);
    return this.#shelfOf.delete(slab);
  }

  /** One of those with the most garbage; undefined if none has much. The slab that is being written is left alone. */
  emptiest(current: Slab | undefined): Slab | undefined {
    for (const shelf of this.#shelves.slice(0, fullShelf)) {
      for (const slab of shelf ?? []) if (slab !== current) return slab;
    }
    return undefined;
  }
}
