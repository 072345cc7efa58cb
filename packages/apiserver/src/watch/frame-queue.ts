import type { FrameJoiner } from "./frame-joiner.ts";

/**
 * Frames on their way to one watcher: written at once, read when the watcher is ready.
 *
 * It never grows without bound: a watcher that falls too far behind loses its stream, and resumes from where it was.
 */
export class FrameQueue implements AsyncIterable<Uint8Array> {
  /** Written and not yet read, oldest first. Their sizes add up to `#pendingBytes`. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #limitBytes: number;
  readonly #join: FrameJoiner;
  readonly #onClose: () => void;

  /** `onClose` is called once, when the reader has gone or the stream has ended. */
  constructor(limitBytes: number, join: FrameJoiner, onClose: () => void) {
    this.#limitBytes = limitBytes;
    this.#join = join;
    this.#onClose = onClose;
  }

  /** Adds a frame. A queue that is full is ended instead: what was written before is still delivered. */
  push(frame: Uint8Array): void {
    if (this.#ended) return;
    if (this.#pendingBytes > this.#limitBytes) {
      this.end();
      return;
    }
    this.#pending.push(frame);
    this.#pendingBytes += frame.byteLength;
    this.#wake?.();
  }

  /** Ends the stream once everything written has been read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Everything pending at each turn comes as one piece. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const frames = this.#pending;
        if (frames.length > 0) {
          this.#pending = [];
          this.#pendingBytes = 0;
          yield this.#join(frames);
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.#ended = true;
      this.#onClose();
    }
  }
}
