/** The connection that a body arrives on: told to wait while the reader of the body is behind, and to stop when it leaves early. */
export interface BodySender {
  pause(): void;
  resume(): void;
  drop(error: Error): void;
}

type Reader = PromiseWithResolvers<IteratorResult<Uint8Array, undefined>>;

type End = { readonly type: "Whole" } | { readonly type: "Broken"; readonly error: unknown };

/**
 * A body between the network and its one reader. What has arrived together is read together, as one piece: servers write in small pieces, and each
 * turn of a reader costs more than to copy one. Held back once a megabyte waits.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
  readonly #sender: BodySender;
  /** Arrived and not yet read, oldest first; `#waitingBytes` in all. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isPaused = false;
  /** Whether the reader will be woken when what arrives just now is complete. */
  #isWaking = false;
  #end: End | undefined;
  #reader: Reader | undefined;

  constructor(sender: BodySender) {
    this.#sender = sender;
  }

  /** Whether the sender is to wait. */
  get isHeld(): boolean {
    return this.#isPaused;
  }

  /** Gives a piece to the reader where it is, valid until the reader asks for the next; false if the reader is not waiting for one. */
  hand(piece: Uint8Array): boolean {
    const reader = this.#reader;
    if (reader === undefined || this.#isWaking || this.#end !== undefined) return false;
    this.#reader = undefined;
    reader.resolve({ done: false, value: piece });
    return true;
  }

  push(piece: Uint8Array): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#reader !== undefined && !this.#isWaking) {
      this.#isWaking = true;
      queueMicrotask(this.#wake);
    }
    if (this.#waitingBytes < highWaterBytes || this.#isPaused) return;
    this.#isPaused = true;
    this.#sender.pause();
  }

  /** The body is complete. */
  finish(): void {
    this.#end ??= { type: "Whole" };
    this.#wake();
  }

  /** The rest will not come. What has come before is still read. */
  fail(error: unknown): void {
    this.#end ??= { type: "Broken", error };
    this.#wake();
  }

  /** The rest is not wanted. Nor is what has come before. */
  abort(reason: unknown): void {
    this.#waiting = [];
    this.#end = { type: "Broken", error: reason };
    this.#wake();
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#waiting.length > 0) return Promise.resolve({ done: false, value: this.#takeAll() });
    if (this.#end?.type === "Whole") return Promise.resolve(done);
    if (this.#end?.type === "Broken") return Promise.reject(this.#end.error);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#waiting = [];
    if (this.#end === undefined) this.#sender.drop(new Error("the response body was closed by its reader"));
    this.finish();
    return Promise.resolve(done);
  }

  /** What is left to read, at once, if all of it has arrived. */
  takeWhole(): Uint8Array | undefined {
    return this.#end?.type === "Whole" ? this.#takeAll() : undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Gives the reader what there is, if there is a reader and anything to give. */
  readonly #wake = (): void => {
    this.#isWaking = false;
    const reader = this.#reader;
    if (reader === undefined || (this.#waiting.length === 0 && this.#end === undefined)) return;
    this.#reader = undefined;
    reader.resolve(this.next());
  };

  #takeAll(): Uint8Array {
    const pieces = this.#waiting;
    const [first = new Uint8Array(0)] = pieces;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#sender.resume();
    }
    return pieces.length === 1 ? first : Buffer.concat(pieces);
  }
}

const highWaterBytes = 1 << 20;
const done = { done: true, value: undefined } as const;
