import { Quantity, compileSelector } from "@kaji/core";
import type { Node, PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import { compileNodeSelector } from "../../scheduler/node-selection.ts";

/** Whether a volume is kept for a claim, by its name and, where it is known, by its uid. */
export function isKeptFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === undefined || uid === "" || uid === metadata.uid);
}

/** The volume that serves a claim best: one that is kept for it, or else the smallest that is free. A claim that waits for the scheduler to choose a node gets no free volume. */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { isWaiting, node }: { readonly isWaiting: boolean; readonly node: Node | undefined },
): PersistentVolume | undefined {
  const there = [...volumes].filter((volume) => volume.metadata.deletionTimestamp === undefined);
  const kept = there.find((volume) => isKeptFor(volume, claim));
  if (kept !== undefined || isWaiting) return kept;
  return there
    .filter((volume) => volume.spec?.claimRef === undefined && whyUnfit(volume, claim) === undefined && isReachable(volume, node))
    .toSorted((left, right) => capacityOf(left).compare(capacityOf(right)))[0];
}

/** Why a volume does not serve a claim; undefined if it does. */
export function whyUnfit(volume: PersistentVolume, { spec = {} }: PersistentVolumeClaim): string | undefined {
  const { accessModes = [], volumeMode = "Filesystem", storageClassName = "" } = volume.spec ?? {};
  if (capacityOf(volume).compare(Quantity.parse(spec.resources?.requests?.["storage"] ?? "0")) < 0) return "requested PV is too small";
  if (storageClassName !== (spec.storageClassName ?? "")) return "storageClassName does not match";
  if (volumeMode !== (spec.volumeMode ?? "Filesystem")) return "incompatible volumeMode";
  if (!(spec.accessModes ?? []).every((mode) => accessModes.includes(mode))) return "incompatible accessMode";
  const isSelected = spec.selector === undefined || compileSelector(spec.selector).matches(volume.metadata.labels);
  return isSelected ? undefined : "selector does not match";
}

function capacityOf({ spec }: PersistentVolume): Quantity {
  return Quantity.parse(spec?.capacity?.["storage"] ?? "0");
}

function isReachable({ spec }: PersistentVolume, node: Node | undefined): boolean {
  const required = spec?.nodeAffinity?.required;
  return node === undefined || required === undefined || compileNodeSelector(required)(node);
}
