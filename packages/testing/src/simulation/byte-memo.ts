/** How many texts are remembered before all are forgotten: more than a run has. */
const most = 2000;

/**
 * Remembers what a pure function made of bytes. Runs of one exploration are alike up to their fault, so that nearly all
 * that is written, answered and heard in one has been in another before.
 */
export class ByteMemo<T> {
  readonly #make: (bytes: Uint8Array) => T;
  /** By the bytes, one character for each. */
  readonly #made = new Map<string, T>();

  constructor(make: (bytes: Uint8Array) => T) {
    this.#make = make;
  }

  /** What the function makes of the bytes; shared by all who ask, so nobody may change it. */
  of(bytes: Uint8Array): T {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    if (this.#made.size >= most) this.#made.clear();
    const made = this.#make(bytes);
    this.#made.set(key, made);
    return made;
  }
}
