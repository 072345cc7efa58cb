import type { ObjectKey } from "@kaji/core";
import { noBytes } from "../wire/json-text.ts";
import { NumberColumn } from "./number-column.ts";
import type { Slot } from "./slab-store.ts";

/** Text is written into pages that grow with the table up to 64 KiB; a key that is longer has a page of its own. */
const pageBits = 16;
const pageBytes = 1 << pageBits;
const smallestPage = 1024;
/** Enough for every key of the API. */
const usualKeyBytes = 1024;
const smallestTable = 16;

/**
 * The keys of objects, each at a slot, and the slots by key.
 *
 * Text and table are outside the JavaScript heap: strings would be traced and moved by the garbage collector, and a `Map` of them takes three times as much.
 */
export class KeyTable {
  /** Keys in UTF-8 one behind the other, each with a byte behind it that no text has; `#filled` bytes of the last page. */
  #pages: Buffer[] = [];
  #filled = 0;
  /** By slot where its key is: one more than page × page size + offset, 0 for a slot that is free. */
  readonly #places = new NumberColumn();
  /** One more than the slot, at the hash of its key or behind it; 0 where there is none. At least half of it is free. */
  #table = new Uint32Array(smallestTable);
  #size = 0;
  /** One more than the largest slot that has had a key. */
  #slots = 0;
  /** Bytes of keys that are in the pages, and of those that are gone since. */
  #written = 0;
  #garbage = 0;
  /** The key that was looked for last, as it would be in a page: an object is looked up several times in a row. */
  #soughtKey: ObjectKey | undefined;
  #sought: Buffer = noBytes;
  #soughtSize = 0;
  #soughtHash = 0;
  /** Where it is in the table, or would be; undefined if the table has changed since. */
  #soughtEntry: number | undefined;

  get size(): number {
    return this.#size;
  }

  /** How much memory text and table take. */
  get reservedBytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.length, this.#table.byteLength);
  }

  /** The slot of a key; undefined if it has none. */
  find(key: ObjectKey): Slot | undefined {
    const found = this.#table[this.#entryOf(key)] ?? 0;
    return found === 0 ? undefined : found - 1;
  }

  /** The key at a slot; undefined if it is free. */
  keyAt(slot: Slot): ObjectKey | undefined {
    const place = this.#places.get(slot);
    if (place === 0) return undefined;
    const page = this.#pageOf(place);
    return page.toString("utf8", offsetOf(place), page.indexOf(keyEnd, offsetOf(place))) as ObjectKey;
  }

  /** The slots that are not free. */
  *slots(): Generator<Slot> {
    for (let slot = 0; slot < this.#slots; slot++) if (this.#places.get(slot) !== 0) yield slot;
  }

  /** Gives a key, which has none, a free slot: one that has had a key, or the next. */
  add(key: ObjectKey, slot: Slot): void {
    if (2 * (this.#size + 1) > this.#table.length) this.#grow();
    const entry = this.#entryOf(key);
    this.#places.set(slot, this.#write());
    this.#table[entry] = slot + 1;
    this.#soughtEntry = entry;
    this.#slots = Math.max(this.#slots, slot + 1);
    this.#size++;
  }

  /** Frees the slot of a key. */
  delete(key: ObjectKey): void {
    const entry = this.#entryOf(key);
    const found = this.#table[entry] ?? 0;
    if (found === 0) return;
    this.#close(entry);
    this.#places.set(found - 1, 0);
    this.#size--;
    this.#garbage += this.#soughtSize;
    if (this.#garbage > Math.max(pageBytes, this.#written / 2)) this.#rewrite();
  }

  #seek(key: ObjectKey): void {
    if (key === this.#soughtKey) return;
    const mostBytes = 3 * key.length + 1;
    if (mostBytes > this.#sought.length) this.#sought = Buffer.allocUnsafeSlow(Math.max(usualKeyBytes, mostBytes));
    const size = writeKey(this.#sought, key);
    this.#sought[size] = keyEnd;
    this.#soughtSize = size + 1;
    this.#soughtHash = hashOf(this.#sought, 0);
    this.#soughtKey = key;
    this.#soughtEntry = undefined;
  }

  /** Where a key is in the table, or would be; it is the one that is sought from now on. */
  #entryOf(key: ObjectKey): number {
    this.#seek(key);
    if (this.#soughtEntry !== undefined) return this.#soughtEntry;
    const mask = this.#table.length - 1;
    for (let entry = this.#soughtHash & mask; ; entry = (entry + 1) & mask) {
      const found = this.#table[entry] ?? 0;
      if (found === 0 || this.#isSought(this.#places.get(found - 1))) return (this.#soughtEntry = entry);
    }
  }

  #isSought(place: number): boolean {
    const page = this.#pageOf(place);
    const start = offsetOf(place);
    for (let index = 0; index < this.#soughtSize; index++) if (page[start + index] !== this.#sought[index]) return false;
    return true;
  }

  #hashAt(slot: Slot): number {
    const place = this.#places.get(slot);
    return hashOf(this.#pageOf(place), offsetOf(place));
  }

  #pageOf(place: number): Buffer {
    return this.#pages[(place - 1) >>> pageBits] ?? noBytes;
  }

  /** Writes the sought key, and returns its place. */
  #write(): number {
    const size = this.#soughtSize;
    const hasRoom = this.#filled + size <= Math.min(pageBytes, this.#pages.at(-1)?.length ?? 0);
    const at = hasRoom ? this.#filled : 0;
    if (!hasRoom) this.#pages.push(Buffer.allocUnsafeSlow(Math.max(size, Math.min(pageBytes, smallestPage + this.#written))));
    const last = this.#pages.length - 1;
    this.#sought.copy(this.#pages[last] ?? noBytes, at, 0, size);
    this.#filled = at + size;
    this.#written += size;
    return last * pageBytes + at + 1;
  }

  #grow(): void {
    this.#soughtEntry = undefined;
    this.#table = new Uint32Array(2 * this.#table.length);
    const mask = this.#table.length - 1;
    for (const slot of this.slots()) {
      let entry = this.#hashAt(slot) & mask;
      while (this.#table[entry] !== 0) entry = (entry + 1) & mask;
      this.#table[entry] = slot + 1;
    }
  }

  /** Empties an entry, and moves up what would not be found behind the gap. */
  #close(gone: number): void {
    const mask = this.#table.length - 1;
    this.#soughtEntry = undefined;
    let gap = gone;
    for (let entry = (gap + 1) & mask; ; entry = (entry + 1) & mask) {
      const found = this.#table[entry] ?? 0;
      if (found === 0) break;
      const wanted = this.#hashAt(found - 1) & mask;
      if (((entry - wanted) & mask) < ((entry - gap) & mask)) continue;
      this.#table[gap] = found;
      gap = entry;
    }
    this.#table[gap] = 0;
  }

  /** Leaves the text of keys behind that are gone. */
  #rewrite(): void {
    const keys = Array.from(this.slots(), (slot) => ({ slot, key: this.keyAt(slot) }));
    this.#pages = [];
    this.#written = 0;
    this.#garbage = 0;
    for (const { slot, key } of keys) {
      if (key === undefined) continue;
      this.#seek(key);
      this.#places.set(slot, this.#write());
    }
  }
}

/** Behind a key: no byte of UTF-8 is this. */
const keyEnd = 0xff;

function offsetOf(place: number): number {
  return (place - 1) & (pageBytes - 1);
}

/** Writes a key as UTF-8, and returns its size. */
function writeKey(target: Buffer, key: ObjectKey): number {
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    // The keys of the API are ASCII, and short: to call Node for them takes longer.
    if (code > 0x7f) return target.write(key);
    target[index] = code;
  }
  return key.length;
}

/** FNV-1a of the key at an offset, with its upper half mixed into the lower one. */
function hashOf(bytes: Buffer, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start, byte = bytes[at] ?? keyEnd; byte !== keyEnd; byte = bytes[++at] ?? keyEnd) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash ^ (hash >>> 15);
}
