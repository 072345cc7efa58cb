import type { ObjectScanner } from "./object-scanner.ts";
import type { Slab } from "./slab.ts";

/**
 * One state of an object, as text in a slab, parsed when it is asked for. It never changes: a newer state is another one of these.
 *
 * Whoever holds it keeps the memory of its slab.
 */
export class StoredObject<T> {
  readonly #slab: Slab;
  /** Where its record is in the slab. */
  readonly #at: number;
  readonly #parse: (text: string) => T;
  #value: T | undefined;

  constructor(slab: Slab, at: number, parse: (text: string) => T) {
    this.#slab = slab;
    this.#at = at;
    this.#parse = parse;
  }

  get uid(): string {
    return this.#slab.uidOf(this.#at);
  }

  get resourceVersion(): string {
    return this.#slab.resourceVersionOf(this.#at);
  }

  /** Whether both are states of one object, and not of two that had the same name one after the other. */
  isSameObject(other: StoredObject<T>): boolean {
    return this.#slab.hasSameUid(this.#at, other.#slab, other.#at);
  }

  /** The object itself, the same one each time. */
  get value(): T {
    return (this.#value ??= this.#parse(this.#slab.textOf(this.#at)));
  }

  /** Finds fields in it without parsing it. */
  scan(scanner: ObjectScanner): void {
    this.#slab.scan(this.#at, scanner);
  }
}
