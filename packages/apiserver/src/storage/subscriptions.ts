import { pathsOf } from "./key-range.ts";
import type { Listener, Path, StorageEvent } from "./storage.ts";

interface Subscription {
  readonly listener: Listener;
  /** Events up to this revision are none of its business: it has had them, or asked not to. */
  readonly afterRevision: number;
}

/** Who wants to know of what, found by the paths of the key that changed: the number of other subscriptions costs nothing. */
export class Subscriptions {
  /** No set is empty. */
  readonly #byPath = new Map<Path, Set<Subscription>>();

  add(path: Path, afterRevision: number, listener: Listener): Disposable {
    const subscription = { listener, afterRevision };
    const subscriptions = this.#byPath.get(path) ?? new Set();
    this.#byPath.set(path, subscriptions.add(subscription));
    return { [Symbol.dispose]: () => this.#remove(path, subscription) };
  }

  /** Tells those who subscribed to a path of the key. */
  publish(event: StorageEvent): void {
    if (this.#byPath.size === 0) return;
    for (const path of pathsOf(event.key)) {
      for (const { listener, afterRevision } of this.#byPath.get(path) ?? []) {
        if (event.revision > afterRevision) tell(listener, event);
      }
    }
  }

  clear(): void {
    this.#byPath.clear();
  }

  #remove(path: Path, subscription: Subscription): void {
    const subscriptions = this.#byPath.get(path);
    if (subscriptions?.delete(subscription) === true && subscriptions.size === 0) this.#byPath.delete(path);
  }
}

/** Calls a listener so that one that throws, against its contract, keeps no other listener from the event. */
export function tell(listener: Listener, event: StorageEvent): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
