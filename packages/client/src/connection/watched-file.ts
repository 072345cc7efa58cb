import { readFile } from "node:fs/promises";
import type { Clock } from "@kaji/core";
import { TransportError } from "../transport-error.ts";

/** Something that may change from one reading to the next. */
export interface Reloaded<T> {
  /** What it is as of late; the same value until it changes. */
  read(): Promise<T> | T;
  /** Makes the next `read` look closely. */
  expire(): void;
}

/** A file is checked again by the first read after this time. */
const recheckMs = 10_000;

/**
 * A text in a file that others replace now and then, such as a token or a certificate.
 * The text is the same string until the file changes. A file that is gone, perhaps only for the moment of its replacement, keeps its last text.
 */
export class WatchedFile implements Reloaded<string> {
  readonly path: string;
  readonly #what: string;
  readonly #clock: Clock;
  #text: string | undefined;
  /** In the clock's monotonic time. */
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<string> | undefined;
  /** How often it was made to look closely. */
  #expiries = 0;

  /** `what` names the content in messages, such as `token`. */
  constructor(path: string, what: string, clock: Clock) {
    this.path = path;
    this.#what = what;
    this.#clock = clock;
  }

  /** The text as of late. Throws if there has never been one. */
  read(): Promise<string> | string {
    if (this.#text !== undefined && this.#clock.monotonic() - this.#readAtMs < recheckMs) return this.#text;
    this.#reading ??= this.#readNow(this.#expiries);
    return this.#reading;
  }

  expire(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
    // What is being read may be what was there before.
    this.#reading = undefined;
    this.#expiries++;
  }

  /** What it finds counts, unless it has expired meanwhile and there is another text. */
  async #readNow(expiries: number): Promise<string> {
    const startMs = this.#clock.monotonic();
    try {
      const text = await readFile(this.path, "utf8");
      const counts = expiries === this.#expiries || this.#text === undefined;
      if (counts && text !== this.#text && text.trim() !== "") this.#text = text;
    } catch (error) {
      if (this.#text === undefined) {
        const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
        throw new TransportError("Unauthenticated", `cannot read the ${this.#what} in ${this.path}${code}`, { cause: error });
      }
    } finally {
      if (expiries === this.#expiries) this.#reading = undefined;
    }
    if (this.#text === undefined) throw new TransportError("Unauthenticated", `the ${this.#what} in ${this.path} is empty`);
    if (expiries === this.#expiries) this.#readAtMs = startMs;
    return this.#text;
  }
}
