/** Counts the bytes that all requests under way hold together, so that they never hold more than a process can bear. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The share of one request, nothing at first. Disposing of it gives it back. */
  open(): Hold {
    return new Hold((more) => this.#grow(more));
  }

  #grow(more: number): boolean {
    if (more > 0 && this.#held + more > this.#most) return false;
    this.#held += more;
    return true;
  }
}

/** What one request holds. */
export class Hold implements Disposable {
  readonly #grow: (more: number) => boolean;
  #bytes = 0;

  /** `grow` asks for more, or gives back what is less; it tells whether that was granted. */
  constructor(grow: (more: number) => boolean) {
    this.#grow = grow;
  }

  /** Holds so many bytes in all from now on; false, and as many as before, if there is no room for them. */
  resize(bytes: number): boolean {
    if (!this.#grow(bytes - this.#bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  [Symbol.dispose](): void {
    this.resize(0);
  }
}
