import { defineController } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolume } from "@kaji/types/core/v1";

const finalizer = "kubernetes.io/pv-protection";

/** Lets a PersistentVolume go when it serves no claim. */
export const volumeProtectionController: Controller = defineController(PersistentVolume, {
  name: "persistentvolume-protection-controller",
  selfVerbs: ["update"],
  async reconcile(volume, { client }) {
    const { deletionTimestamp, finalizers = [] } = volume.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer) || volume.status?.phase === "Bound") return;
    const others = finalizers.filter((each) => each !== finalizer);
    await client.update(PersistentVolume, { ...volume, metadata: { ...volume.metadata, finalizers: others } });
  },
});
