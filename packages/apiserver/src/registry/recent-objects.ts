import type { DynamicObject } from "@kaji/core";

/** How many objects of a kind are remembered: who writes one often writes it again soon. */
const most = 64;

/** The objects that were written last, by the revision that wrote them, so that the next write need not parse them. */
export class RecentObjects {
  /** The longest known first. */
  readonly #objects = new Map<number, DynamicObject>();

  get(revision: number): DynamicObject | undefined {
    return this.#objects.get(revision);
  }

  add(revision: number, object: DynamicObject): void {
    this.#objects.set(revision, object);
    if (this.#objects.size <= most) return;
    for (const oldest of this.#objects.keys()) {
      this.#objects.delete(oldest);
      return;
    }
  }

  delete(revision: number): void {
    this.#objects.delete(revision);
  }
}
