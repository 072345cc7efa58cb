import type { FrameJoiner } from "./frame-joiner.ts";

/**
 * Frames on their way to one watcher: written at once, read when the watcher is ready.
 *
 * It never grows without bound: a watcher that falls too far behind loses its stream, and resumes from where it was. What a stream begins with may be of any size: it
 * is not written before it is read.
 */
export class FrameQueue implements AsyncIterable<Uint8Array> {
  /** Written and not yet read, oldest first. Their sizes add up to `#pendingBytes`. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #ended = false;
  /** What it begins with: what has been made of it, and what will be when it is read. */
  #first: Uint8Array[] = [];
  #others: Iterable<Uint8Array> = [];
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

  /** Frames to come before all others, where the queue has not been read yet. The first is made at once, the rest when the reader is ready for them. */
  beginWith(frames: Generator<Uint8Array, void>): void {
    const first = frames.next();
    if (first.done !== true) this.#first.push(first.value);
    this.#others = frames;
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
      yield* this.#beginning();
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

  /** The first frames, in pieces that are worth a turn each. */
  *#beginning(): Generator<Uint8Array> {
    let frames = this.#first;
    let bytes = frames[0]?.byteLength ?? 0;
    for (const frame of this.#others) {
      frames.push(frame);
      bytes += frame.byteLength;
      if (bytes < pieceBytes) continue;
      yield this.#join(frames);
      frames = [];
      bytes = 0;
    }
    this.#others = [];
    if (frames.length > 0) yield this.#join(frames);
  }
}

const pieceBytes = 256 * 1024;
