import { formatKind, objectKey } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";

/** What keeps an object that is deleted in the foreground until its children are gone. */
const foregroundFinalizer = "foregroundDeletion";

/** A child is not created since its owner waits for its children to go: the garbage collector would delete it at once, and the owner would never go. */
export class ForegroundDeletionError extends Error {
  override readonly name = "ForegroundDeletionError";

  constructor(resource: Resource, child: { readonly name: string; readonly namespace?: string | undefined }, owner: KubeObject) {
    super(
      `${formatKind(resource)} ${objectKey(child)} is not created: ${owner.kind} ${owner.metadata.name} is being deleted and waits for its children to go`,
    );
  }
}

/** Whether an object is kept only until its children are gone. */
export function isDeletedInForeground({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer) === true;
}
