import { Quantity, compileSelector } from "@kaji/core";
import type { Node, PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import { compileNodeSelector } from "../../scheduler/node-selection.ts";
import type { NodePredicate } from "../../scheduler/node-selection.ts";

/** Whether a volume is kept for a claim, by its name and, where it is known, by its uid. */
export function isKeptFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === undefined || uid === "" || uid === metadata.uid);
}

/** The volume that serves a claim best from a node, if one is chosen. A claim that waits for the scheduler to choose a node gets no free volume. */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { isWaiting, node }: { readonly isWaiting: boolean; readonly node: Node | undefined },
): PersistentVolume | undefined {
  const serving = servingVolumes(claim, volumes).filter(({ spec }) => !isWaiting || spec?.claimRef !== undefined);
  return serving.find((volume) => node === undefined || placesOf(volume)(node));
}

/** The volumes that can serve a claim, the best first: the one that is kept for it, or else those that are free, the smallest first. */
export function servingVolumes(claim: PersistentVolumeClaim, volumes: Iterable<PersistentVolume>): readonly PersistentVolume[] {
  const there = [...volumes].filter((volume) => volume.metadata.deletionTimestamp === undefined);
  const kept = there.find((volume) => isKeptFor(volume, claim));
  if (kept !== undefined) return [kept];
  return there
    .filter((volume) => volume.spec?.claimRef === undefined && whyUnfit(volume, claim) === undefined)
    .toSorted((left, right) => capacityOf(left).compare(capacityOf(right)));
}

/** The nodes from which a volume can be reached. */
export function placesOf({ spec }: PersistentVolume): NodePredicate {
  const required = spec?.nodeAffinity?.required;
  return required === undefined ? () => true : compileNodeSelector(required);
}

/** Why a volume does not serve a claim; undefined if it does. */
export function whyUnfit(volume: PersistentVolume, { spec = {} }: PersistentVolumeClaim): string | undefined {
  const { accessModes = [], storageClassName, volumeAttributesClassName, volumeMode } = volume.spec ?? {};
  if (capacityOf(volume).compare(Quantity.parse(spec.resources?.requests?.["storage"] ?? "0")) < 0) return "requested PV is too small";
  if (differ(storageClassName, spec.storageClassName)) return "storageClassName does not match";
  if (differ(volumeAttributesClassName, spec.volumeAttributesClassName)) return "volumeAttributesClassName does not match";
  if (differ(volumeMode, spec.volumeMode, "Filesystem")) return "incompatible volumeMode";
  if (!(spec.accessModes ?? []).every((mode) => accessModes.includes(mode))) return "incompatible accessMode";
  const isSelected = spec.selector === undefined || compileSelector(spec.selector).matches(volume.metadata.labels);
  return isSelected ? undefined : "selector does not match";
}

/** Whether two are not the same, where what is absent is as it is by default. */
function differ(left: string | undefined, right: string | undefined, byDefault = ""): boolean {
  return (left ?? byDefault) !== (right ?? byDefault);
}

function capacityOf({ spec }: PersistentVolume): Quantity {
  return Quantity.parse(spec?.capacity?.["storage"] ?? "0");
}
