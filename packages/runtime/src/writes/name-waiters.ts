import type { ObjectKey } from "@kaji/core";

/** The owners that want a child under a name which another object has, and are to be reconciled at any change of it. */
export class NameWaiters {
  /** By what identifies the object that has the name. */
  readonly #owners = new Map<string, Set<ObjectKey>>();
  /** The same by owner. */
  readonly #objects = new Map<ObjectKey, Set<string>>();

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** Whether the owner has not waited for it already. */
  add(objectId: string, owner: ObjectKey): boolean {
    if (this.#owners.get(objectId)?.has(owner) === true) return false;
    addTo(this.#owners, objectId, owner);
    addTo(this.#objects, owner, objectId);
    return true;
  }

  /** The owners that wait for the name of an object; they wait no longer. */
  take(objectId: string): readonly ObjectKey[] {
    const owners = [...(this.#owners.get(objectId) ?? [])];
    this.#owners.delete(objectId);
    for (const owner of owners) deleteFrom(this.#objects, owner, objectId);
    return owners;
  }

  /** The owner is gone. */
  forget(owner: ObjectKey): void {
    for (const objectId of this.#objects.get(owner) ?? []) deleteFrom(this.#owners, objectId, owner);
    this.#objects.delete(owner);
  }
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key) ?? new Set<V>();
  sets.set(key, set.add(value));
}

function deleteFrom<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
