import { controllerOf, unlessGone } from "@kaji/core";
import type { KubeObject, OwnerReference, Selector } from "@kaji/core";

/** What a controller does with an object that it might own. */
export type Claim = "Keep" | "Adopt" | "Release" | "Leave";

/** Whether an owner with that selector keeps, adopts, releases or ignores an object. An owner that is being deleted adopts and releases nothing. */
export function claimOf(owner: KubeObject, selector: Selector, object: KubeObject): Claim {
  const { uid, deletionTimestamp, namespace } = owner.metadata;
  const controller = controllerOf(object);
  const matches = selector.matches(object.metadata.labels);
  if (controller !== undefined) {
    if (controller.uid !== uid) return "Leave";
    if (matches) return "Keep";
    return deletionTimestamp === undefined ? "Release" : "Leave";
  }
  if (!matches || deletionTimestamp !== undefined || object.metadata.deletionTimestamp !== undefined) return "Leave";
  return object.metadata.namespace === namespace ? "Adopt" : "Leave";
}

/** How claims are carried out. */
export interface Claiming<C extends KubeObject> {
  readonly owner: KubeObject;
  /** The reference that makes the owner the controller of what it adopts. */
  readonly reference: OwnerReference;
  readonly selector: Selector;
  /** The owner as the server has it now: a cache may not know yet that it is being deleted, and what it adopted then would outlive it. */
  readonly fresh: () => Promise<KubeObject | undefined>;
  /** Writes the owners of an object; the server refuses it if the object has changed meanwhile. */
  readonly setOwners: (object: C, owners: readonly OwnerReference[]) => Promise<C>;
}

/** Adopts and releases candidates, and gives those that the owner then controls. Candidates that are gone are left out. */
export async function claim<C extends KubeObject>(candidates: Iterable<C>, claiming: Claiming<C>): Promise<readonly C[]> {
  const { owner, selector, reference, setOwners } = claiming;
  const kept: C[] = [];
  let isOwnerThere: boolean | undefined;
  for (const object of candidates) {
    const owners = object.metadata.ownerReferences ?? [];
    switch (claimOf(owner, selector, object)) {
      case "Keep":
        kept.push(object);
        break;
      case "Adopt": {
        isOwnerThere ??= isPresent(owner, await claiming.fresh());
        const adopted = isOwnerThere ? await unlessGone(setOwners(object, [...withoutOwner(owners, owner), reference])) : undefined;
        if (adopted !== undefined) kept.push(adopted);
        break;
      }
      case "Release":
        await unlessGone(setOwners(object, withoutOwner(owners, owner)));
        break;
      case "Leave":
        break;
    }
  }
  return kept;
}

function isPresent({ metadata }: KubeObject, fresh: KubeObject | undefined): boolean {
  return fresh !== undefined && fresh.metadata.uid === metadata.uid && fresh.metadata.deletionTimestamp === undefined;
}

function withoutOwner(owners: readonly OwnerReference[], { metadata }: KubeObject): readonly OwnerReference[] {
  return owners.filter(({ uid }) => uid !== metadata.uid);
}
