/** One open watch of a scripted server: bytes go in on one side and are iterated on the other, until it ends, breaks or is aborted. */
export class WatchConnection implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  /** How it ended, once it has: in order, or by an error. */
  #end: { readonly error: unknown } | "Closed" | undefined;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    if (signal.aborted) this.break(signal.reason);
    else signal.addEventListener("abort", () => this.break(signal.reason), { once: true });
  }

  get isOpen(): boolean {
    return this.#end === undefined;
  }

  send(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    this.#chunks.push(bytes);
    this.#wake();
  }

  /** Ends it in order, after what was sent. */
  close(): void {
    this.#end ??= "Closed";
    this.#wake();
  }

  /** Ends it by an error, after what was sent. */
  break(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) yield chunk;
        else if (this.#end === "Closed") return undefined;
        else if (this.#end !== undefined) throw this.#end.error;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }
}
