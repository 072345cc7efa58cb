import type { IncomingObject } from "../wire/incoming-object.ts";
import { NumberColumn } from "./number-column.ts";
import { SlabShelves } from "./slab-shelves.ts";
import { Slab, slabBuffers } from "./slab.ts";
import type { RecordPlace, SlabBuffers } from "./slab.ts";
import { SlotColumn } from "./slot-column.ts";
import { StoredObject } from "./stored-object.ts";
import type { Parse, Parsed } from "./stored-object.ts";

/** Slabs grow with the store from here … */
const smallestSlab = 16 * 1024;
/** … up to here; an object of more than a quarter of it has a slab of its own. Larger ones would pack better, and take longer to read one object from. */
const largestSlab = 128 * 1024;
/** So much text is at hand, that which was written or read last; the rest is packed. */
const openLimit = 1024 * 1024;
/** So much of the text may be garbage before slabs are compacted. */
const tolerableGarbage = 0.25;

/** A number that stands for an object in the store as long as it is there, whatever its state. */
export type Slot = number;

/**
 * The text of objects in slabs outside the JavaScript heap, packed where nothing has been read or written for a while.
 *
 * A new state is appended and the old one becomes garbage; slabs with much garbage are compacted, one with each write at most.
 */
export class SlabStore<T> {
  readonly #parse: Parse<T>;
  /** Every slab that has a live record, and `#current`. */
  readonly #slabs = new SlabShelves();
  /** Slabs whose text is not packed, the one that was opened last behind the others; `#openBytes` in all. */
  readonly #open = new Set<Slab>();
  #openBytes = 0;
  /** What a packed slab has left, for the next one. */
  #spare: SlabBuffers | undefined;
  /** The one that is being written. */
  #current: Slab | undefined;
  /** Where the record of each slot is; undefined for a slot that is free. */
  readonly #slabOf = new SlotColumn<Slab | undefined>();
  readonly #atOf = new NumberColumn();
  /** Slots that were removed, to be used again. */
  readonly #free: Slot[] = [];
  /** How many slabs there have been. */
  #begun = 0;
  #hasPacked = false;
  /** Sums over `#slabs`. */
  #used = 0;
  #live = 0;

  constructor(parse: Parse<T>) {
    this.#parse = parse;
  }

  /** Bytes of the objects that are in the store. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Bytes of memory that the store holds for them. */
  get reservedBytes(): number {
    return this.#slabs.sizeBytes;
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
    this.#slabOf.set(slot, undefined);
    this.#free.push(slot);
    this.#discard(slab, at);
    this.#compactIfWorthwhile();
  }

  /** The present state of the object. Those who give the same `parsed` share what is read. */
  read(slot: Slot, parsed?: Parsed<T>): StoredObject<T> {
    const { slab, at } = this.#place(slot);
    return new StoredObject(slab, at, this.#parse, parsed);
  }

  /** The same slots in the order in which to read many of them, so that no slab is unpacked twice. */
  readingOrder(slots: readonly Slot[]): readonly Slot[] {
    if (!this.#hasPacked) return slots;
    const slabNumber = (slot: Slot): number => this.#slabOf.get(slot)?.number ?? 0;
    return slots.toSorted((a, b) => slabNumber(a) - slabNumber(b) || this.#atOf.get(a) - this.#atOf.get(b));
  }

  #place(slot: Slot): { readonly slab: Slab; readonly at: RecordPlace } {
    const slab = this.#slabOf.get(slot);
    if (slab === undefined) throw new RangeError(`no object in slot ${slot}`);
    return { slab, at: this.#atOf.get(slot) };
  }

  #append(slot: Slot, object: IncomingObject): void {
    const { size } = object;
    const slab = this.#slabFor(size);
    this.#settle(slot, slab, slab.append(slot, object), size);
  }

  #settle(slot: Slot, slab: Slab, at: RecordPlace, size: number): void {
    this.#slabOf.set(slot, slab);
    this.#atOf.set(slot, at);
    slab.live += size;
    this.#live += size;
    this.#used += size;
    // One for a single large object is full now.
    if (slab !== this.#current) this.#slabs.put(slab);
  }

  #slabFor(size: number): Slab {
    if (this.#current?.hasRoom(size) === true) return this.#current;
    if (size > largestSlab / 4) return this.#newSlab(size);
    const full = this.#current;
    this.#current = this.#newSlab(Math.min(largestSlab, Math.max(smallestSlab, size, this.#live)));
    if (full?.live === 0) this.#drop(full);
    else if (full !== undefined) this.#slabs.put(full);
    return this.#current;
  }

  #newSlab(textBytes: number): Slab {
    const slab = new Slab(this.#takeBuffers(textBytes), ++this.#begun, this.#opened);
    this.#slabs.put(slab);
    this.#opened(slab);
    return slab;
  }

  /** A slab's text is at hand: those that have not been used for longest are packed. */
  readonly #opened = (slab: Slab): void => {
    this.#open.add(slab);
    this.#openBytes += slab.openBytes;
    for (const oldest of this.#open) {
      if (this.#openBytes <= openLimit) return;
      if (oldest === slab || oldest === this.#current) continue;
      this.#close(oldest);
      this.#spare = oldest.pack() ?? this.#spare;
      this.#hasPacked = true;
    }
  };

  /** Buffers that come and go would fill the memory until the garbage collector finds them. */
  #takeBuffers(textBytes: number): SlabBuffers {
    const spare = this.#spare;
    if (spare?.text.length !== textBytes) return slabBuffers(textBytes);
    this.#spare = undefined;
    return spare;
  }

  #close(slab: Slab): void {
    if (this.#open.delete(slab)) this.#openBytes -= slab.openBytes;
  }

  #discard(slab: Slab, at: RecordPlace): void {
    const size = slab.sizeOf(at);
    slab.live -= size;
    this.#live -= size;
    if (slab === this.#current) return;
    if (slab.live === 0) this.#drop(slab);
    else this.#slabs.put(slab);
  }

  #drop(slab: Slab): void {
    if (!this.#slabs.delete(slab)) return;
    this.#close(slab);
    this.#used -= slab.used;
  }

  #compactIfWorthwhile(): void {
    if (this.#used - this.#live <= Math.max(smallestSlab, tolerableGarbage * this.#used)) return;
    const emptiest = this.#slabs.emptiest(this.#current);
    if (emptiest === undefined) return;
    for (const at of emptiest.places()) this.#moveIfLive(emptiest, at);
    this.#drop(emptiest);
  }

  #moveIfLive(from: Slab, at: RecordPlace): void {
    const slot = from.slotOf(at);
    if (this.#slabOf.get(slot) !== from || this.#atOf.get(slot) !== at) return;
    const size = from.sizeOf(at);
    const slab = this.#slabFor(size);
    this.#settle(slot, slab, slab.appendFrom(from, at), size);
    this.#live -= size;
  }
}

/** Keeps a state outside any store, for as long as there is a reference to it. */
export function storeAlone<T>(object: IncomingObject, parse: Parse<T>): StoredObject<T> {
  const slab = new Slab(slabBuffers(object.size));
  return new StoredObject(slab, slab.append(0, object), parse);
}
