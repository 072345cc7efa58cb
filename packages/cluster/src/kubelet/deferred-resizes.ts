import type { ObjectKey } from "@kaji/core";

/** Pods that wait for room on their node to be given more. */
export class DeferredResizes {
  /** By node. No set is empty. */
  readonly #pods = new Map<string, Set<ObjectKey>>();

  /** Those of a node. */
  on(node: string): Iterable<ObjectKey> {
    return this.#pods.get(node) ?? [];
  }

  add(key: ObjectKey, node: string): void {
    this.#pods.set(node, (this.#pods.get(node) ?? new Set()).add(key));
  }

  delete(key: ObjectKey, node: string): void {
    const pods = this.#pods.get(node);
    if (pods?.delete(key) === true && pods.size === 0) this.#pods.delete(node);
  }
}
