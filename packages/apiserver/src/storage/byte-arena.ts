/** The first slab. Each further one is twice as large as the one before: many storages, such as those of forks, never hold much. */
const firstSlabBytes = 8 * 1024;
const largestSlabBytes = 256 * 1024;
/** No slab is made for a value that takes a larger part of it: little of the largest is then left unused. Larger values get a buffer of their own. */
const largestPart = 1 / 8;

/**
 * Keeps many small byte strings in few large buffers, at hardly more than their size.
 *
 * Nothing is overwritten: a buffer is garbage once no string in it is held. What remains of buffers that hold much garbage can be
 * moved out of them, since a reader of an old copy keeps it alive.
 */
export class ByteArena {
  /** How many bytes of each slab are in use. */
  readonly #used = new Map<ArrayBufferLike, number>();
  #usedBytes = 0;
  /** The sizes of all slabs in `#used`. */
  #slabBytes = 0;
  #slab: Buffer = Buffer.alloc(0);
  /** Where the free part of `#slab` begins. */
  #free = 0;

  /** A copy of the bytes, in the arena. */
  keep(bytes: Uint8Array): Uint8Array {
    const size = bytes.byteLength;
    if (size > largestSlabBytes * largestPart) {
      const own = Buffer.allocUnsafeSlow(size);
      own.set(bytes);
      return own;
    }
    if (this.#free + size > this.#slab.byteLength) this.#nextSlab(size);
    this.#slab.set(bytes, this.#free);
    const kept = this.#slab.subarray(this.#free, this.#free + size);
    this.#free += size;
    this.#count(kept, size);
    return kept;
  }

  /** Says that bytes of the arena are no longer in use. */
  release(bytes: Uint8Array): void {
    if (this.#used.has(bytes.buffer)) this.#count(bytes, -bytes.byteLength);
  }

  /** Whether more than a third of the arena's memory, beyond a few slabs, holds garbage. */
  get isSparse(): boolean {
    return this.#slabBytes > 1.5 * this.#usedBytes + 4 * largestSlabBytes;
  }

  /** The same bytes, moved if more than a quarter of their slab is garbage. */
  tidy(bytes: Uint8Array): Uint8Array {
    const used = this.#used.get(bytes.buffer);
    if (used === undefined || used > 0.75 * bytes.buffer.byteLength || bytes.buffer === this.#slab.buffer) return bytes;
    this.release(bytes);
    return this.keep(bytes);
  }

  /** A slab with room for a value of this size, and for some more like it. */
  #nextSlab(size: number): void {
    const { buffer, byteLength } = this.#slab;
    if (this.#used.get(buffer) === 0) this.#forget(buffer);
    const wanted = Math.max(firstSlabBytes, 2 * byteLength, 2 ** Math.ceil(Math.log2(size / largestPart)));
    this.#slab = Buffer.allocUnsafeSlow(Math.min(wanted, largestSlabBytes));
    this.#used.set(this.#slab.buffer, 0);
    this.#slabBytes += this.#slab.byteLength;
    this.#free = 0;
  }

  #count({ buffer }: Uint8Array, change: number): void {
    const used = (this.#used.get(buffer) ?? 0) + change;
    if (used === 0 && buffer !== this.#slab.buffer) this.#forget(buffer);
    else this.#used.set(buffer, used);
    this.#usedBytes += change;
  }

  #forget(buffer: ArrayBufferLike): void {
    if (this.#used.delete(buffer)) this.#slabBytes -= buffer.byteLength;
  }
}
