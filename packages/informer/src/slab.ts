import type { IncomingObject } from "./incoming-object.ts";
import { readString, readText } from "./json-text.ts";
import type { ObjectScanner } from "./object-scanner.ts";

/**
 * Objects one behind the other in one buffer outside the JavaScript heap.
 *
 * It is only ever appended to, so that what has been read from it stays true for as long as somebody holds it.
 */
export class Slab {
  readonly #bytes: Buffer;
  /** The same memory, for the headers: every record begins at a multiple of their size. */
  readonly #words: Uint32Array;
  /** How many bytes have been written. */
  used = 0;
  /** How many of them are of records that are still referred to; whoever refers to them counts. */
  live = 0;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(align(sizeBytes));
    this.#words = new Uint32Array(this.#bytes.buffer);
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  /** Whether a record of so many bytes fits behind the others. */
  hasRoom(recordBytes: number): boolean {
    return this.used + recordBytes <= this.#bytes.length;
  }

  /** Writes an object behind the others, and returns where its record is. */
  append(slot: number, object: IncomingObject): number {
    const at = this.used;
    const length = object.size;
    const header = at / wordBytes;
    this.#words[header] = slot;
    this.#words[header + 1] = length;
    object.mark(this.#words, header + 2);
    object.copyTo(this.#bytes, at + headerBytes);
    this.used = at + recordSize(length);
    return at;
  }

  /** Copies a record of another slab behind the others, and returns where it is now. */
  appendFrom(other: Slab, otherAt: number): number {
    const at = this.used;
    const size = other.sizeOf(otherAt);
    other.#bytes.copy(this.#bytes, at, otherAt, otherAt + size);
    this.used = at + size;
    return at;
  }

  /** How many bytes the record takes, header included: the next one is so much further. */
  sizeOf(at: number): number {
    return recordSize(this.#word(at, 1));
  }

  /** The number under which the record's owner knows it. */
  slotOf(at: number): number {
    return this.#word(at, 0);
  }

  uidOf(at: number): string {
    return this.#string(at, this.#word(at, 2), this.#word(at, 3));
  }

  hasSameUid(at: number, other: Slab, otherAt: number): boolean {
    const start = at + headerBytes + this.#word(at, 2);
    const otherStart = otherAt + headerBytes + other.#word(otherAt, 2);
    const length = this.#word(at, 3) - this.#word(at, 2);
    if (other.#word(otherAt, 3) - other.#word(otherAt, 2) !== length) return false;
    for (let index = 0; index < length; index++) if (this.#bytes[start + index] !== other.#bytes[otherStart + index]) return false;
    return true;
  }

  resourceVersionOf(at: number): string {
    return this.#string(at, this.#word(at, 4), this.#word(at, 5));
  }

  textOf(at: number): string {
    return readText(this.#bytes, at + headerBytes, at + headerBytes + this.#word(at, 1));
  }

  scan(at: number, scanner: ObjectScanner): void {
    scanner.scan(this.#bytes, at + headerBytes);
  }

  #string(at: number, start: number, end: number): string {
    return readString(this.#bytes, at + headerBytes + start, at + headerBytes + end);
  }

  #word(at: number, index: number): number {
    return this.#words[at / wordBytes + index] ?? 0;
  }
}

/** How many bytes an object of this length takes in a slab. */
export function recordSize(length: number): number {
  return align(headerBytes + length);
}

const wordBytes = 4;
/** Slot, length, and where uid and resource version begin and end. */
const headerBytes: number = 6 * wordBytes;

function align(bytes: number): number {
  return Math.ceil(bytes / wordBytes) * wordBytes;
}
