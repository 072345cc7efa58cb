import type { IncomingObject } from "./incoming-object.ts";
import { Slab, recordSize } from "./slab.ts";
import { StoredObject } from "./stored-object.ts";

/** Slabs grow with the store from here … */
const smallestSlab = 16 * 1024;
/** … up to here; an object of more than a quarter of it has a slab of its own. */
const largestSlab = 1024 * 1024;
/** So much of the memory may be garbage before slabs are compacted. */
const tolerableGarbage = 0.25;

/** A number that stands for an object in the store as long as it is there, whatever its state. */
export type Slot = number;

/**
 * The text of objects in slabs outside the JavaScript heap: little more memory than the text has bytes.
 *
 * A new state is appended and the old one becomes garbage; slabs with much garbage are compacted, one with each write at most.
 */
export class SlabStore<T> {
  readonly #parse: (text: string) => T;
  /** Every slab that has a live record, and `#current`. */
  readonly #slabs = new Set<Slab>();
  #current: Slab = new Slab(0);
  /** Where the record of each slot is; undefined for a slot that is free. */
  readonly #slabOf: (Slab | undefined)[] = [];
  readonly #atOf: number[] = [];
  /** Slots that were removed, to be used again. */
  readonly #free: Slot[] = [];
  /** Sums over `#slabs`. */
  #used = 0;
  #live = 0;
  #reserved = 0;

  constructor(parse: (text: string) => T) {
    this.#parse = parse;
  }

  /** Bytes of the objects that are in the store. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Bytes of memory that the store holds for them. */
  get reservedBytes(): number {
    return this.#reserved;
  }

  add(object: IncomingObject): Slot {
    const slot = this.#free.pop() ?? this.#slabOf.length;
    this.#append(slot, object);
    return slot;
  }

  replace(slot: Slot, object: IncomingObject): void {
    // Appended first: the object may have been scanned in the very record that it replaces.
    const { slab, at } = this.#place(slot);
    this.#append(slot, object);
    this.#discard(slab, at);
    this.#compactIfWorthwhile();
  }

  remove(slot: Slot): void {
    const { slab, at } = this.#place(slot);
    this.#slabOf[slot] = undefined;
    this.#free.push(slot);
    this.#discard(slab, at);
    this.#compactIfWorthwhile();
  }

  /** The present state of the object. */
  read(slot: Slot): StoredObject<T> {
    const { slab, at } = this.#place(slot);
    return new StoredObject(slab, at, this.#parse);
  }

  #place(slot: Slot): { readonly slab: Slab; readonly at: number } {
    const slab = this.#slabOf[slot];
    const at = this.#atOf[slot];
    if (slab === undefined || at === undefined) throw new RangeError(`no object in slot ${slot}`);
    return { slab, at };
  }

  #append(slot: Slot, object: IncomingObject): void {
    const size = recordSize(object.size);
    const slab = this.#slabFor(size);
    this.#settle(slot, slab, slab.append(slot, object), size);
  }

  #settle(slot: Slot, slab: Slab, at: number, size: number): void {
    this.#slabOf[slot] = slab;
    this.#atOf[slot] = at;
    slab.live += size;
    this.#live += size;
    this.#used += size;
  }

  #slabFor(size: number): Slab {
    if (this.#current.hasRoom(size)) return this.#current;
    if (size > largestSlab / 4) return this.#newSlab(size);
    const full = this.#current;
    this.#current = this.#newSlab(Math.min(largestSlab, Math.max(smallestSlab, size, this.#live)));
    if (full.live === 0 && this.#slabs.has(full)) this.#drop(full);
    return this.#current;
  }

  #newSlab(sizeBytes: number): Slab {
    const slab = new Slab(sizeBytes);
    this.#slabs.add(slab);
    this.#reserved += slab.sizeBytes;
    return slab;
  }

  #discard(slab: Slab, at: number): void {
    const size = slab.sizeOf(at);
    slab.live -= size;
    this.#live -= size;
    if (slab.live === 0 && slab !== this.#current) this.#drop(slab);
  }

  #drop(slab: Slab): void {
    this.#slabs.delete(slab);
    this.#used -= slab.used;
    this.#reserved -= slab.sizeBytes;
  }

  #compactIfWorthwhile(): void {
    if (this.#used - this.#live <= Math.max(smallestSlab, tolerableGarbage * this.#used)) return;
    let emptiest: Slab | undefined;
    let fill = 1 - tolerableGarbage / 2;
    for (const slab of this.#slabs) {
      if (slab === this.#current || slab.live / slab.used >= fill) continue;
      emptiest = slab;
      fill = slab.live / slab.used;
    }
    if (emptiest === undefined) return;
    for (let at = 0; at < emptiest.used; at += emptiest.sizeOf(at)) this.#moveIfLive(emptiest, at);
    this.#drop(emptiest);
  }

  #moveIfLive(from: Slab, at: number): void {
    const slot = from.slotOf(at);
    if (this.#slabOf[slot] !== from || this.#atOf[slot] !== at) return;
    const size = from.sizeOf(at);
    const slab = this.#slabFor(size);
    this.#settle(slot, slab, slab.appendFrom(from, at), size);
    this.#live -= size;
  }
}

/** Keeps a state outside any store, for as long as somebody holds it. */
export function storeAlone<T>(object: IncomingObject, parse: (text: string) => T): StoredObject<T> {
  const slab = new Slab(recordSize(object.size));
  return new StoredObject(slab, slab.append(0, object), parse);
}
