import { objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import { computedIndex } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";

const finalizer = "kubernetes.io/pvc-protection";
const byClaim = computedIndex(Pod, claimsOf);

/** Lets a PersistentVolumeClaim go when no pod on any node uses it. */
export const claimProtectionController: Controller = defineController(PersistentVolumeClaim, {
  name: "persistentvolumeclaim-protection-controller",
  watches: [watch(Pod, { indexes: [byClaim], predicates: [({ object }) => object === undefined], toKeys: claimsOf })],
  selfVerbs: ["update"],
  async reconcile(claim, { cache, client }) {
    const { deletionTimestamp, finalizers = [] } = claim.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
    if (cache.by(Pod, byClaim, objectKey(claim.metadata)).some(({ spec }) => (spec?.nodeName ?? "") !== "")) return;
    const others = finalizers.filter((each) => each !== finalizer);
    await client.update(PersistentVolumeClaim, { ...claim, metadata: { ...claim.metadata, finalizers: others } });
  },
});

function claimsOf({ metadata, spec }: Pod): readonly ObjectKey[] {
  const { namespace } = metadata;
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
    ...(persistentVolumeClaim === undefined ? [] : [objectKey({ namespace, name: persistentVolumeClaim.claimName })]),
    ...(ephemeral === undefined ? [] : [objectKey({ namespace, name: `${metadata.name}-${name}` })]),
  ]);
}
