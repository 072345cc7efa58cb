import { pack, unpack } from "@kaji/core";
import type { IncomingObject } from "../wire/incoming-object.ts";
import { readString, readText } from "../wire/json-text.ts";
import type { ObjectScanner } from "../wire/object-scanner.ts";

/** Where the record of an object is in its slab. */
export type RecordPlace = number;

/** What a slab is written into. */
export interface SlabBuffers {
  readonly text: Buffer;
  readonly heads: Buffer;
}

/** Buffers for so much text, and for the heads that it usually has. */
export function slabBuffers(textBytes: number): SlabBuffers {
  return { text: Buffer.allocUnsafeSlow(textBytes), heads: Buffer.allocUnsafeSlow(align(textBytes * usualHeadShare)) };
}

/**
 * Objects one behind the other, outside the JavaScript heap: their text, which can be packed, and for each a head with what is asked for most, which is not.
 *
 * It is only ever appended to, and not after it was packed, so that a record stays valid for as long as there is a reference to it.
 */
export class Slab {
  /** Undefined while only the packed text is there. */
  #text: Buffer | undefined;
  /** Undefined before the first `pack`; `Never` if packing gains too little. */
  #packed: Buffer | "Never" | undefined;
  /** A record's place is that of its head. */
  #heads: Buffer;
  /** The same memory, for the numbers in heads: every head begins at a multiple of their size. */
  #words: Uint32Array;
  #headsUsed = 0;
  readonly #onOpen: (slab: Slab) => void;
  /** Its place among the slabs of its store, in the order in which they were begun. */
  readonly number: number;
  /** How many bytes of text have been written. */
  used = 0;
  /** How many of them are of records that are still referred to; the store counts them. */
  live = 0;

  /** Takes the buffers, and calls back when it has unpacked its text again for a read. */
  constructor({ text, heads }: SlabBuffers, number = 0, onOpen: (slab: Slab) => void = () => undefined) {
    this.#text = text;
    this.number = number;
    this.#heads = heads;
    this.#words = wordsOf(heads);
    this.#onOpen = onOpen;
  }

  /** How much memory it takes now. */
  get sizeBytes(): number {
    return this.#heads.length + this.openBytes + (Buffer.isBuffer(this.#packed) ? this.#packed.length : 0);
  }

  /** How much of it would be given back by packing. */
  get openBytes(): number {
    return this.#text?.length ?? 0;
  }

  /** Whether text of so many bytes fits behind the others. */
  hasRoom(textBytes: number): boolean {
    return this.#packed === undefined && this.used + textBytes <= this.openBytes;
  }

  /** Writes an object behind the others, and returns where its record is. */
  append(slot: number, object: IncomingObject): RecordPlace {
    const at = this.#headsUsed;
    const { size, uidSize, resourceVersionSize } = object;
    this.#reserve(headWords * wordBytes + uidSize + resourceVersionSize);
    this.#setWord(at, 0, slot);
    this.#setWord(at, 1, this.used);
    this.#setWord(at, 2, size);
    this.#setWord(at, 3, uidSize);
    this.#setWord(at, 4, resourceVersionSize);
    this.#setWord(at, 5, object.metadataStart);
    this.#setWord(at, 6, object.metadataSize);
    object.copyIdentity(this.#heads, at + headWords * wordBytes);
    object.copyTo(this.#open(), this.used);
    this.used += size;
    return at;
  }

  /** Copies a record of another slab behind the others, and returns where it is now. */
  appendFrom(other: Slab, otherAt: RecordPlace): RecordPlace {
    const at = this.#headsUsed;
    this.#reserve(other.next(otherAt) - otherAt);
    other.#heads.copy(this.#heads, at, otherAt, other.next(otherAt));
    this.#setWord(at, 1, this.used);
    other.#open().copy(this.#open(), this.used, other.#start(otherAt), other.#start(otherAt) + other.sizeOf(otherAt));
    this.used += other.sizeOf(otherAt);
    return at;
  }

  /** Packs the text, unless that gains too little. From now on nothing can be appended. Returns the buffers it was written into, if they became free. */
  pack(): SlabBuffers | undefined {
    if (this.#packed !== undefined || this.#text === undefined) {
      if (this.#packed !== "Never") this.#text = undefined;
      return undefined;
    }
    const written = { text: this.#text, heads: this.#heads };
    this.#packed = pack(written.text.subarray(0, this.used)) ?? "Never";
    this.#resize(this.#headsUsed);
    if (this.#packed === "Never") return undefined;
    this.#text = undefined;
    return written;
  }

  /** The places of its records, oldest first. */
  *places(): Generator<RecordPlace> {
    for (let at = 0; at < this.#headsUsed; at = this.next(at)) yield at;
  }

  /** The place of the record behind this one. */
  next(at: RecordPlace): RecordPlace {
    return align(at + headWords * wordBytes + this.#word(at, 3) + this.#word(at, 4));
  }

  /** How many bytes the text of the record takes. */
  sizeOf(at: RecordPlace): number {
    return this.#word(at, 2);
  }

  /** The number under which the record's owner knows it. */
  slotOf(at: RecordPlace): number {
    return this.#word(at, 0);
  }

  uidOf(at: RecordPlace): string {
    const start = at + headWords * wordBytes;
    return readString(this.#heads, start, start + this.#word(at, 3));
  }

  hasSameUid(at: RecordPlace, other: Slab, otherAt: RecordPlace): boolean {
    const length = this.#word(at, 3);
    if (other.#word(otherAt, 3) !== length) return false;
    const [start, otherStart] = [at + headWords * wordBytes, otherAt + headWords * wordBytes];
    for (let index = 0; index < length; index++) if (this.#heads[start + index] !== other.#heads[otherStart + index]) return false;
    return true;
  }

  resourceVersionOf(at: RecordPlace): string {
    const start = at + headWords * wordBytes + this.#word(at, 3);
    return readString(this.#heads, start, start + this.#word(at, 4));
  }

  /** Whether the record is of the version that the incoming object has. */
  isVersionOf(at: RecordPlace, object: IncomingObject): boolean {
    return object.isResourceVersion(this.#heads, at + headWords * wordBytes + this.#word(at, 3), this.#word(at, 4));
  }

  textOf(at: RecordPlace): string {
    return readText(this.#open(), this.#start(at), this.#start(at) + this.sizeOf(at));
  }

  /** The part of the text that is the metadata. */
  metadataOf(at: RecordPlace): string {
    const start = this.#start(at) + this.#word(at, 5);
    return readText(this.#open(), start, start + this.#word(at, 6));
  }

  /** Finds fields in a copy of the text: the buffer it is in may be another slab's before they are read. */
  scan(at: RecordPlace, scanner: ObjectScanner): void {
    scanner.scan(Buffer.from(this.#open().subarray(this.#start(at), this.#start(at) + this.sizeOf(at))), 0);
  }

  #open(): Buffer {
    if (this.#text === undefined) {
      this.#text = unpack(Buffer.isBuffer(this.#packed) ? this.#packed : Buffer.alloc(0), this.used);
      this.#onOpen(this);
    }
    return this.#text;
  }

  #start(at: RecordPlace): number {
    return this.#word(at, 1);
  }

  #reserve(headBytes: number): void {
    const needed = align(this.#headsUsed + headBytes);
    if (needed > this.#heads.length) this.#resize(Math.max(needed, 2 * this.#heads.length));
    this.#headsUsed = needed;
  }

  #resize(headsBytes: number): void {
    const heads = Buffer.allocUnsafeSlow(headsBytes);
    this.#heads.copy(heads, 0, 0, this.#headsUsed);
    this.#heads = heads;
    this.#words = wordsOf(heads);
  }

  #word(at: RecordPlace, index: number): number {
    return this.#words[at / wordBytes + index] ?? 0;
  }

  #setWord(at: RecordPlace, index: number, value: number): void {
    this.#words[at / wordBytes + index] = value;
  }
}

/** How many bytes of heads there are for each byte of text, if objects are neither small nor large. To begin with less would leave a trail of garbage. */
const usualHeadShare = 1 / 16;
const wordBytes = 4;
/** Slot; where the text begins, its length; the lengths of the literals of uid and resource version, which follow; where the metadata is in the text, its length. */
const headWords = 7;

function align(bytes: number): number {
  return Math.ceil(bytes / wordBytes) * wordBytes;
}

function wordsOf(heads: Buffer): Uint32Array {
  return new Uint32Array(heads.buffer, 0, heads.length / wordBytes);
}
