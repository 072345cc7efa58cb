import type { ObjectKey, ObjectMeta } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta } from "./delta.ts";
import type { State } from "../store/mirror.ts";
import type { DeliveredDelta } from "./subscription.ts";

/** The delta with objects in place of states, each parsed when the handler reads it: many handlers read only the key. */
export function lazyDelta<T>(delta: Delta<State<T>>): DeliveredDelta<T> {
  return new LazyDelta(delta) as DeliveredDelta<T>;
}

/** Has the fields of its delta's variant. Getters of a class cost fifty times less than those of a literal. */
class LazyDelta<T> {
  readonly type: Delta<unknown>["type"];
  readonly key: ObjectKey;
  readonly writer: unknown;
  readonly initial: boolean | undefined;
  readonly isListed: boolean | undefined;
  readonly finalStateUnknown: boolean | undefined;
  readonly #delta: Delta<State<T>>;

  constructor(delta: Delta<State<T>>) {
    this.type = delta.type;
    this.key = delta.key;
    this.writer = delta.writer;
    this.initial = delta.type === "Added" ? delta.initial : undefined;
    this.isListed = delta.type === "Added" ? delta.isListed : undefined;
    this.finalStateUnknown = delta.type === "Deleted" ? delta.finalStateUnknown : undefined;
    this.#delta = delta;
  }

  get object(): DeepReadonly<T> {
    return this.#delta.object.value;
  }

  get metadata(): ObjectMeta {
    return this.#delta.object.metadata;
  }

  get previous(): DeepReadonly<T> | undefined {
    return "previous" in this.#delta ? this.#delta.previous.value : undefined;
  }

  get previousMetadata(): ObjectMeta | undefined {
    return "previous" in this.#delta ? this.#delta.previous.metadata : undefined;
  }
}
