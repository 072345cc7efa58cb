import type { Entry, Storage } from "@kaji/apiserver";
import { objectOf, parseJsonBytes } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

/** Reads objects as they are kept. Admission asks for the same few again and again, so each state of one is read once. */
export class StoredObjects {
  readonly #storage: Storage;
  readonly #known = new WeakMap<Entry, DynamicObject>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The object under a key, if there is one. */
  get(key: string): DynamicObject | undefined {
    const entry = this.#storage.get(key);
    return entry === undefined ? undefined : this.#read(entry);
  }

  /** The objects below a path, by name. */
  list(path: string): readonly DynamicObject[] {
    return this.#storage.list(path).entries.map((entry) => this.#read(entry));
  }

  /** Resolves when what is being written under a key is stored; undefined when nothing is. */
  pending(key: string): Promise<void> | undefined {
    return this.#storage.pending(key);
  }

  /** Calls back whenever an object is written, until it is disposed of. */
  whenWritten(key: string, listener: () => void): Disposable {
    return this.#storage.subscribe(key, this.#storage.currentRevision, (event) => {
      if (event.type === "Put") listener();
    });
  }

  #read(entry: Entry): DynamicObject {
    let object = this.#known.get(entry);
    if (object === undefined) {
      object = objectOf(parseJsonBytes(entry.bytes));
      this.#known.set(entry, object);
    }
    return object;
  }
}
