/** Collects the bytes of one message. They are in one piece, so that many small frames take little more room than what is in them. */
export class MessageBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(payload: Uint8Array): void {
    const length = this.#length + payload.byteLength;
    if (length > this.#bytes.byteLength) {
      const grown = Buffer.alloc(Math.max(length, 2 * this.#bytes.byteLength));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(payload, this.#length);
    this.#length = length;
  }

  /** What has been collected; the next message begins. */
  take(): Uint8Array {
    const whole = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return whole;
  }
}
