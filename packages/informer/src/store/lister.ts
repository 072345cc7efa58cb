import { objectKey, selectorOf } from "@kaji/core";
import type { KubeObject, LabelSelector, NamespacedName, ObjectKey, Selector } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Indexer } from "./indexer.ts";
import { byNamespace } from "./object-index.ts";
import type { Index } from "./object-index.ts";

/** Which objects to list: all that is stated must hold. */
export interface ListerQuery {
  readonly namespace?: string | undefined;
  /** As text, such as `app=web,tier in (a,b)`, or as API objects have it; compiled where it is used often. Default: whatever the labels. */
  readonly labelSelector?: string | LabelSelector | Selector | undefined;
}

/**
 * Reads the objects of an informer, what was written here included.
 *
 * It answers from memory, at once. Objects are parsed when they are read, and shared by all readers, which must not change them.
 */
export class Lister<T extends KubeObject> {
  readonly #indexer: Indexer<T>;

  constructor(indexer: Indexer<T>) {
    this.#indexer = indexer;
  }

  get size(): number {
    return this.#indexer.size;
  }

  /** An object by its key, or by whatever has a namespace and a name. */
  get(address: ObjectKey | NamespacedName): DeepReadonly<T> | undefined {
    return this.#indexer.get(typeof address === "string" ? address : objectKey(address));
  }

  /** The keys of all objects. */
  keys(): ObjectKey[] {
    return this.#indexer.keys();
  }

  /** The keys of the objects that have a value in an index. The first query for an index makes it. */
  keysBy(index: Index<T>, value: string | number | boolean): ObjectKey[] {
    return this.#indexer.keysBy(index, String(value));
  }

  /** The objects there are now, one by one; any that is gone when its turn comes is left out. */
  list({ namespace, labelSelector }: ListerQuery = {}): IteratorObject<DeepReadonly<T>, undefined> {
    return this.#read(namespace === undefined ? this.#indexer.readingKeys() : this.keysBy(byNamespace, namespace), labelSelector);
  }

  /** The objects that have a value in an index, one by one, in all namespaces or in one. */
  by(
    index: Index<T>,
    value: string | number | boolean,
    { namespace, labelSelector }: ListerQuery = {},
  ): IteratorObject<DeepReadonly<T>, undefined> {
    const keys = this.keysBy(index, value);
    return this.#read(namespace === undefined ? keys : keys.filter((key) => key.startsWith(`${namespace}/`)), labelSelector);
  }

  *#read(keys: readonly ObjectKey[], labelSelector: ListerQuery["labelSelector"]): Generator<DeepReadonly<T>, undefined> {
    const selector = labelSelector === undefined ? undefined : selectorOf(labelSelector);
    for (const key of keys) {
      if (selector !== undefined && !selector.matches(this.#indexer.labels(key))) continue;
      const object = this.#indexer.get(key);
      if (object !== undefined) yield object;
    }
  }
}
