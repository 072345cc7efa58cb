import { malformed } from "./byte-scanner.ts";
import { asBuffer, noBytes } from "./json-text.ts";

/** Several times what etcd stores under one key: what is longer is not an event, and must not fill the memory. */
const longestFrame = 64 * 1024 * 1024;
/** A buffer that a long frame has enlarged beyond this is given back. */
const largestIdleBuffer = 256 * 1024;

/** Takes one frame: the bytes between two offsets, valid during the call. */
export type OnFrame = (bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts a stream of bytes into lines.
 *
 * A line inside one chunk is handed out where it is; only what spans chunks is copied, each byte a constant number of times on average.
 */
export class FrameSplitter {
  /** The beginning of a line whose end has not come yet is in its first `#filled` bytes. */
  #partial: Buffer = noBytes;
  #filled = 0;

  /** Whether the stream so far ends in the middle of a line. */
  get hasPartial(): boolean {
    return this.#filled > 0;
  }

  /** Takes the next chunk, and hands out the lines that end in it. Empty lines are passed over. */
  push(chunk: Uint8Array, onFrame: OnFrame): void {
    const bytes = asBuffer(chunk);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      if (this.#filled > 0) {
        this.#append(bytes, start, end);
        const filled = this.#filled;
        this.#filled = 0;
        onFrame(this.#partial, 0, filled);
      } else if (end > start) onFrame(bytes, start, end);
      start = end + 1;
    }
    if (this.#filled === 0 && this.#partial.length > largestIdleBuffer) this.#partial = noBytes;
    this.#append(bytes, start, bytes.length);
  }

  #append(bytes: Buffer, start: number, end: number): void {
    const length = this.#filled + end - start;
    if (length > longestFrame) malformed(`a frame of more than ${longestFrame} bytes`, longestFrame);
    if (length > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#partial.length));
      this.#partial.copy(larger, 0, 0, this.#filled);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#filled, start, end);
    this.#filled = length;
  }
}

const newline = 0x0a;
