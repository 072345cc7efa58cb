import type { ObjectMeta } from "@kaji/core";
import type { IncomingObject } from "../wire/incoming-object.ts";
import type { ObjectScanner } from "../wire/object-scanner.ts";
import type { RecordPlace, Slab } from "./slab.ts";

/** Reads what is kept of an object. */
export interface Parse<T> {
  readonly object: (text: string) => T;
  readonly metadata: (text: string) => ObjectMeta;
}

/** Where a state of an object is once somebody has read it: all who read that state share it. */
export interface Parsed<T> {
  value: T | undefined;
}

/**
 * One state of an object, as text in a slab, parsed when it is asked for. It never changes: a newer state is another one of these.
 *
 * A reference to it keeps the memory of its slab.
 */
export class StoredObject<T> {
  readonly #slab: Slab;
  /** Where its record is in the slab. */
  readonly #at: RecordPlace;
  readonly #parse: Parse<T>;
  readonly #parsed: Parsed<T>;
  #metadata: ObjectMeta | undefined;

  constructor(slab: Slab, at: RecordPlace, parse: Parse<T>, parsed: Parsed<T> = { value: undefined }) {
    this.#slab = slab;
    this.#at = at;
    this.#parse = parse;
    this.#parsed = parsed;
  }

  get uid(): string {
    return this.#slab.uidOf(this.#at);
  }

  get resourceVersion(): string {
    return this.#slab.resourceVersionOf(this.#at);
  }

  /** Whether it is the state that the incoming object shows. */
  isVersionOf(object: IncomingObject): boolean {
    return this.#slab.isVersionOf(this.#at, object);
  }

  /** Whether both are states of one object, and not of two that had the same name one after the other. */
  isSameObject(other: StoredObject<T>): boolean {
    return this.#slab.hasSameUid(this.#at, other.#slab, other.#at);
  }

  /** The object itself, the same one each time. */
  get value(): T {
    return (this.#parsed.value ??= this.#parse.object(this.#slab.textOf(this.#at)));
  }

  /** Its metadata, the same each time, for which the rest is not parsed. */
  get metadata(): ObjectMeta {
    return (this.#metadata ??= this.#parse.metadata(this.#slab.metadataOf(this.#at)));
  }

  /** Finds fields in it without parsing it. */
  scan(scanner: ObjectScanner): void {
    this.#slab.scan(this.#at, scanner);
  }
}
