import type { DynamicObject, OwnerReference } from "@kaji/core";
import { withMetadata } from "./object-meta.ts";

/** When owners that are named twice were found: as the client sent them, or after others changed the object. */
export type Occasion = "as sent" | "after admission";

/** An object each of whose owners is named once; a client that named one twice is warned. */
export function withUniqueOwners(object: DynamicObject, occasion: Occasion, warn: (message: string) => void): DynamicObject {
  const { ownerReferences } = object.metadata;
  // What is applied may say null, which is none.
  const owners = ownerReferences ?? [];
  if (owners.length < 2) return object;
  const kept = new Map<string, OwnerReference>();
  const repeated: OwnerReference[] = [];
  for (const owner of owners) {
    const identity = identityOf(owner);
    if (kept.has(identity)) repeated.push(owner);
    else kept.set(identity, owner);
  }
  if (repeated.length === 0) return object;
  const when = occasion === "as sent" ? "" : " after mutating admission happens";
  const uids = repeated.map(({ uid }) => uid).join(", ");
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as ` +
      `early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  return withMetadata(object, { ownerReferences: [...kept.values()] });
}

/** All that a reference says, as one text: there may be tens of thousands of them. */
function identityOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
