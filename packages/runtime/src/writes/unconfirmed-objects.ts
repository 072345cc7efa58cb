import type { ObjectKey, Resource } from "@kaji/core";
import { objectId } from "../declare/kind-id.ts";
import { writtenKey } from "./write-address.ts";
import type { WriteAddress } from "./write-address.ts";

/** An object that may be otherwise than the cache has it. */
export interface UnconfirmedObject {
  readonly resource: Resource;
  readonly address: WriteAddress;
}

/** What the server is to be asked about before an object is reconciled again: that object, and others that the events may not have come to. */
export class UnconfirmedObjects {
  /** The kind that is reconciled. */
  readonly #own: Resource;
  /** The others, each by what it is, by the object that is reconciled. */
  readonly #others = new Map<ObjectKey, Map<string, UnconfirmedObject>>();

  constructor(own: Resource) {
    this.#own = own;
  }

  has(key: ObjectKey): boolean {
    return this.#others.has(key);
  }

  /** The server is to be asked about the object, and about these. */
  add(key: ObjectKey, objects: Iterable<UnconfirmedObject> = []): void {
    const others = this.#others.get(key) ?? new Map<string, UnconfirmedObject>();
    for (const object of objects) others.set(objectId(object.resource, writtenKey(object.address)), object);
    others.delete(objectId(this.#own, key));
    this.#others.set(key, others);
  }

  /** The others, which are to be added again if the server does not answer. */
  take(key: ObjectKey): readonly UnconfirmedObject[] {
    const others = this.#others.get(key)?.values() ?? [];
    this.#others.delete(key);
    return [...others];
  }

  forget(key: ObjectKey): void {
    this.#others.delete(key);
  }
}
