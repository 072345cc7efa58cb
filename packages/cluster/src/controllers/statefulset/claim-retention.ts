import { formatApiVersion } from "@kaji/core";
import type { Draft, KubeObject, OwnerReference, Resource } from "@kaji/core";
import { StatefulSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import type { PersistentVolumeClaim } from "@kaji/types/core/v1";
import { controllerReference } from "../ownership/controller-reference.ts";

/**
 * The owners that the claim of a pod is to have by what its set says of retention: owned by the set it goes with the set, owned by a pod that is beyond the
 * wanted numbers it goes with the pod. Undefined when they are right, or when the claim refers to a set or pod of the same name that is another.
 */
export function retainingOwners(
  claim: PersistentVolumeClaim,
  set: StatefulSet,
  { pod, isCondemned }: { readonly pod: Pod; readonly isCondemned: boolean },
): readonly OwnerReference[] | undefined {
  const { whenDeleted = "Retain", whenScaled = "Retain" } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const present = claim.metadata.ownerReferences ?? [];
  const isOurs = (owner: OwnerReference): boolean => names(owner, StatefulSet, set) || names(owner, Pod, pod);
  const ours = present.filter(isOurs);
  const others = present.filter((owner) => !isOurs(owner));
  if (ours.some(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid)) return undefined;
  const wanted = others.some(({ controller }) => controller === true)
    ? []
    : [
        ...(isCondemned && whenScaled === "Delete" ? [controllerReference(Pod, pod)] : []),
        ...(whenDeleted === "Delete" && !(isCondemned && whenScaled === "Delete") ? [controllerReference(StatefulSet, set)] : []),
      ];
  const isRight = ours.length === wanted.length && ours.every(({ uid, controller }) => controller === true && wanted[0]?.uid === uid);
  return isRight ? undefined : [...others, ...wanted];
}

/** Whether a set has its claims go with it, or with pods that it no longer wants. */
export function isClaimOwner({ spec }: StatefulSet): boolean {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return whenDeleted === "Delete" || whenScaled === "Delete";
}

/** Whether a claim goes with a pod of this name that is gone: its successor is to have another. */
export function goesWithFormer(claim: PersistentVolumeClaim | undefined, { spec }: StatefulSet, pod: string): boolean {
  const { ownerReferences = [] } = claim?.metadata ?? {};
  const isOfPods = spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === "Delete";
  return isOfPods && ownerReferences.some(({ apiVersion, kind, name }) => apiVersion === "v1" && kind === "Pod" && name === pod);
}

/** A new claim, which goes with its set from its first moment where it is to: whoever is killed before the pod is made leaves nothing behind that nobody looks after. */
export function ownedFromBirth(claim: Draft<PersistentVolumeClaim>, set: StatefulSet): Draft<PersistentVolumeClaim> {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenDeleted !== "Delete") return claim;
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [controllerReference(StatefulSet, set)] } };
}

function names(owner: OwnerReference, resource: Resource, { metadata }: KubeObject): boolean {
  return owner.apiVersion === formatApiVersion(resource) && owner.kind === resource.kind && owner.name === metadata.name;
}
