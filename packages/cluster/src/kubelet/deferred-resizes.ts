import type { ObjectKey } from "@kaji/core";

/** Pods that wait for room on their node to be given more. */
export class DeferredResizes {
  /** By node. No set is empty. */
  readonly #pods = new Map<string, Set<ObjectKey>>();

  /** Those of a node. */
  on(node: string): Iterable<ObjectKey> {
    return this.#pods.get(node) ?? [];
  }

  set(key: ObjectKey, node: string, isDeferred: boolean): void {
    const pods = this.#pods.get(node);
    if (isDeferred) this.#pods.set(node, (pods ?? new Set()).add(key));
    else if (pods?.delete(key) === true && pods.size === 0) this.#pods.delete(node);
  }
}
