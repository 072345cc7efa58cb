const slabBytes = 256 * 1024;
/** Larger values get a buffer of their own: the end of a slab left unused is then at most an eighth of it. */
const sharedLimit = slabBytes / 8;

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
  #slab: Buffer = Buffer.alloc(0);
  /** Where the free part of `#slab` begins. */
  #free = 0;

  /** A copy of the bytes, in the arena. */
  keep(bytes: Uint8Array): Uint8Array {
    const size = bytes.byteLength;
    if (size > sharedLimit) {
      const own = Buffer.allocUnsafeSlow(size);
      own.set(bytes);
      return own;
    }
    if (this.#free + size > this.#slab.byteLength) this.#nextSlab();
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
    return this.#used.size * slabBytes > 1.5 * this.#usedBytes + 4 * slabBytes;
  }

  /** The same bytes, moved if more than a quarter of their slab is garbage. */
  tidy(bytes: Uint8Array): Uint8Array {
    const used = this.#used.get(bytes.buffer);
    if (used === undefined || used > 0.75 * slabBytes || bytes.buffer === this.#slab.buffer) return bytes;
    this.release(bytes);
    return this.keep(bytes);
  }

  #nextSlab(): void {
    if (this.#used.get(this.#slab.buffer) === 0) this.#used.delete(this.#slab.buffer);
    this.#slab = Buffer.allocUnsafeSlow(slabBytes);
    this.#free = 0;
  }

  #count({ buffer }: Uint8Array, change: number): void {
    const used = (this.#used.get(buffer) ?? 0) + change;
    if (used === 0 && buffer !== this.#slab.buffer) this.#used.delete(buffer);
    else this.#used.set(buffer, used);
    this.#usedBytes += change;
  }
}
