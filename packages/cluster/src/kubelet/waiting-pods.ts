import type { ObjectKey } from "@kaji/core";

/** Pods that have not started because an object that they refer to may be missing, with the last event about each. */
export class WaitingPods {
  /** By namespace and pod, the text of the last event. No inner map is empty. */
  readonly #pods = new Map<string, Map<ObjectKey, string>>();

  in(namespace = ""): Iterable<ObjectKey> {
    return this.#pods.get(namespace)?.keys() ?? [];
  }

  add(key: ObjectKey): void {
    const namespace = namespaceOf(key);
    const pods = this.#pods.get(namespace) ?? new Map<ObjectKey, string>();
    if (!pods.has(key)) this.#pods.set(namespace, pods.set(key, ""));
  }

  /** Records an event about a pod, and tells whether it is new; for a pod that does not wait, every event is. */
  tell(key: ObjectKey, message: string): boolean {
    const pods = this.#pods.get(namespaceOf(key));
    const told = pods?.get(key);
    if (told !== undefined) pods?.set(key, message);
    return told !== message;
  }

  delete(key: ObjectKey): void {
    const namespace = namespaceOf(key);
    const pods = this.#pods.get(namespace);
    pods?.delete(key);
    if (pods?.size === 0) this.#pods.delete(namespace);
  }
}

function namespaceOf(key: ObjectKey): string {
  return key.slice(0, Math.max(0, key.indexOf("/")));
}
