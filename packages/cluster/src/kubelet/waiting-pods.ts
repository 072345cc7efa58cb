import type { ObjectKey } from "@kaji/core";

/** Pods that have not begun, since something that they refer to may be missing; and what people were told about that. */
export class WaitingPods {
  /** By namespace, what was last told of each. No map is empty. */
  readonly #pods = new Map<string, Map<ObjectKey, string>>();

  in(namespace = ""): Iterable<ObjectKey> {
    return this.#pods.get(namespace)?.keys() ?? [];
  }

  add(key: ObjectKey): void {
    const namespace = namespaceOf(key);
    const pods = this.#pods.get(namespace) ?? new Map<ObjectKey, string>();
    if (!pods.has(key)) this.#pods.set(namespace, pods.set(key, ""));
  }

  /** Notes what is told of a pod, and says whether it is news. Of a pod that does not wait everything is. */
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
