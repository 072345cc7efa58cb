import { computedIndex, fieldIndex } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { CacheReads, Controller } from "@kaji/runtime";
import { PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import { VolumeAttributesClass } from "@kaji/types/storage/v1";

const finalizer = "kubernetes.io/vac-protection";
const volumesByClass = fieldIndex(PersistentVolume, "spec.volumeAttributesClassName");
const claimsByClass = computedIndex(PersistentVolumeClaim, classesOf);

/** Lets a VolumeAttributesClass go when no volume has it, and no claim has it, wants it or is on the way to it. */
export const attributesClassProtectionController: Controller = defineController(VolumeAttributesClass, {
  name: "volumeattributesclass-protection-controller",
  watches: [
    watch(PersistentVolume, { indexes: [volumesByClass], toKeys: ({ spec }) => namesIn(spec?.volumeAttributesClassName) }),
    watch(PersistentVolumeClaim, { indexes: [claimsByClass], toKeys: classesOf }),
  ],
  selfVerbs: ["update"],
  async reconcile(attributesClass, { cache, client }) {
    const { deletionTimestamp, finalizers = [], name } = attributesClass.metadata;
    const isProtected = finalizers.includes(finalizer);
    const shouldBe = deletionTimestamp === undefined || (isProtected && isUsed(cache, name));
    if (isProtected === shouldBe) return;
    const next = shouldBe ? [...finalizers, finalizer] : finalizers.filter((each) => each !== finalizer);
    await client.update(VolumeAttributesClass, { ...attributesClass, metadata: { ...attributesClass.metadata, finalizers: next } });
  },
});

function isUsed(cache: CacheReads<PersistentVolume | PersistentVolumeClaim>, name: string): boolean {
  const volumes = cache.by(PersistentVolume, volumesByClass, name);
  const claims = cache.by(PersistentVolumeClaim, claimsByClass, name);
  return volumes.next().done !== true || claims.next().done !== true;
}

function classesOf({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = status ?? {};
  return namesIn(spec?.volumeAttributesClassName, currentVolumeAttributesClassName, modifyVolumeStatus?.targetVolumeAttributesClassName);
}

function namesIn(...names: readonly (string | undefined)[]): readonly string[] {
  return names.filter((name): name is string => name !== undefined && name !== "");
}
