import { formatTime } from "@kaji/core";
import { fieldIndex } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import { isKeptFor } from "./matching-volume.ts";
import { simulatedProvisioner } from "./storage-classes.ts";
import { provisionedBy } from "./volume-annotations.ts";

const byClaim = fieldIndex(PersistentVolume, "spec.claimRef.name");

/** Says what each PersistentVolume is used for, and deletes those that were made for a claim which is gone. */
export const volumeBinder: Controller = defineController(PersistentVolume, {
  name: "persistentvolume-binder-controller",
  indexes: [byClaim],
  watches: [
    watch(PersistentVolumeClaim, {
      toKeys: ({ metadata }, reads) => reads.by(PersistentVolume, byClaim, metadata.name).map((volume) => volume.metadata.name),
    }),
  ],
  selfVerbs: ["delete"],
  async reconcile(volume, { cache, client, clock }) {
    const { namespace = "", name = "" } = volume.spec?.claimRef ?? {};
    const claim = name === "" ? undefined : cache.get(PersistentVolumeClaim, { namespace, name });
    const phase = phaseOf(volume, claim);
    if (phase !== volume.status?.phase) {
      const status = { phase, lastPhaseTransitionTime: formatTime(clock.now()) };
      await client.updateStatus(PersistentVolume, { ...volume, status });
    }
    const { deletionTimestamp, annotations } = volume.metadata;
    const isOurs = annotations?.[provisionedBy] === simulatedProvisioner && volume.spec?.persistentVolumeReclaimPolicy === "Delete";
    if (phase === "Released" && isOurs && deletionTimestamp === undefined) await client.delete(PersistentVolume, volume);
  },
});

type Phase = "Available" | "Bound" | "Released" | "Pending";

function phaseOf(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): Phase {
  const { claimRef } = volume.spec ?? {};
  // A volume that is kept for a claim by its name alone waits for any of that name.
  if ((claimRef?.uid ?? "") === "") return "Available";
  if (claim === undefined || !isKeptFor(volume, claim)) return "Released";
  if (claim.spec?.volumeName === volume.metadata.name) return "Bound";
  return volume.status?.phase === "Available" ? "Available" : "Pending";
}
