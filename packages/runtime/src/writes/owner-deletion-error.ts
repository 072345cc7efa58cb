import { formatKind, objectKey } from "@kaji/core";
import type { KubeObject, NamespacedName, Resource } from "@kaji/core";

/** Nothing is made of a child, since its owner is on its way out and waits only for the garbage collector to do something about its children. */
export class OwnerDeletionError extends Error {
  override readonly name = "OwnerDeletionError";

  constructor(resource: Resource, child: NamespacedName, owner: KubeObject) {
    const waitsFor = orphansChildren(owner) ? "leaves its children to themselves" : "waits for its children to go";
    super(
      `${formatKind(resource)} ${objectKey(child)} is not written: ${owner.kind} ${owner.metadata.name} is being deleted and ${waitsFor}`,
    );
  }
}

/** Whether an object is kept only until its children are gone: the garbage collector would delete a new one at once, and the object would never go. */
export function awaitsChildren(owner: KubeObject): boolean {
  return isGoingWith(owner, "foregroundDeletion");
}

/** Whether an object is kept only until its children have no owner any more: one that got it back would be deleted as soon as the object is gone. */
export function orphansChildren(owner: KubeObject): boolean {
  return isGoingWith(owner, "orphan");
}

function isGoingWith({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;
}
