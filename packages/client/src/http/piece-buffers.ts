/** Several times what a TLS record holds … */
const bufferBytes = 64 * 1024;
/** … and room for one of them. */
const leastRoom = 16 * 1024;

/** Memory that is read into again and again, from which pieces are lent where they are. Only the piece that was lent last stays as it is. */
export class PieceBuffers {
  /** The first is filled from its beginning to its end. Then the two change places, if some of it was lent: of the other, nothing is by then. */
  #buffers: readonly [Buffer, Buffer] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  #isLent = false;
  /** Where in the first that is which has arrived, and was not taken. */
  #from = 0;
  #to = 0;

  /** Whether the next piece must be taken before there is room for more. */
  get isFull(): boolean {
    return bufferBytes - this.#to < leastRoom;
  }

  /** Where to put what arrives next; the same until some has arrived. */
  room(): Buffer {
    if (this.isFull) {
      if (this.#isLent) this.#buffers = [this.#buffers[1], this.#buffers[0]];
      this.#isLent = false;
      this.#from = this.#to = 0;
    }
    return this.#buffers[0].subarray(this.#to);
  }

  /** What has arrived in the room between two offsets is for the next piece. Before the first of them, only a first piece has anything. */
  arrived(start: number, end: number): void {
    if (this.#from === this.#to) this.#from += start;
    this.#to += end;
  }

  /** All that has arrived and was not taken, as one piece. */
  take(): Buffer {
    const piece = this.#buffers[0].subarray(this.#from, this.#to);
    this.#from = this.#to;
    return piece;
  }

  /** The piece that was taken last is read where it is, until another one is lent. */
  lend(): void {
    this.#isLent = true;
  }
}
