import { controllerOf, isReason } from "@kaji/core";
import type { KubeObject, OwnerReference, Selector } from "@kaji/core";

/** What a controller does about an object that it might look after. */
export type Claim = "Keep" | "Adopt" | "Release" | "Leave";

/** Whether an owner with that selector has, takes, lets go of or ignores an object. An owner that is going takes and lets go of nothing. */
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
  /** The reference that makes the owner the controller of what it takes. */
  readonly reference: OwnerReference;
  readonly selector: Selector;
  /** Asks the server, since a cache may not know yet that the owner is going: what it took then would outlive it. */
  readonly isOwnerThere: () => Promise<boolean>;
  /** Gives an object other owners, unless it has changed meanwhile. */
  readonly setOwners: (object: C, owners: readonly OwnerReference[]) => Promise<C>;
}

/** The candidates that the owner looks after, when it has taken and let go of what it should. Candidates that are gone are left out. */
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
        isOwnerThere ??= await claiming.isOwnerThere();
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

function withoutOwner(owners: readonly OwnerReference[], { metadata }: KubeObject): readonly OwnerReference[] {
  return owners.filter(({ uid }) => uid !== metadata.uid);
}

async function unlessGone<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}
