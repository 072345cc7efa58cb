/** Writes protobuf from its end to its start: lengths come before what they measure, and are known only after it. */
export class ProtobufWriter {
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  /** Where what has been written begins; it goes on to the end of the buffer. */
  #start = this.#buffer.byteLength;

  /** How many bytes have been written. */
  get size(): number {
    return this.#buffer.byteLength - this.#start;
  }

  /** What has been written. The writer is of no use after that. */
  finish(): Uint8Array {
    return this.#buffer.subarray(this.#start);
  }

  /** Closes a field whose content has just been written, and began when the writer had this size. */
  delimit(number: number, sizeBefore: number): void {
    this.varint(this.size - sizeBefore);
    this.tag(number, 2);
  }

  tag(number: number, wireType: 0 | 1 | 2): void {
    this.varint(number * 8 + wireType);
  }

  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) length += 1;
    let at = this.#reserve(length);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) {
      this.#buffer[at] = (rest % 0x80) + 0x80;
      at += 1;
    }
    this.#buffer[at] = rest;
  }

  text(text: string): void {
    const at = this.#reserve(Buffer.byteLength(text));
    this.#buffer.write(text, at);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  /** Makes room before what has been written, in another buffer if need be, and says where it is. */
  #reserve(length: number): number {
    if (length > this.#start) {
      const grown = Buffer.allocUnsafe(this.#buffer.byteLength * 2 + length);
      const start = grown.byteLength - this.size;
      this.#buffer.copy(grown, start, this.#start);
      this.#buffer = grown;
      this.#start = start;
    }
    this.#start -= length;
    return this.#start;
  }
}
