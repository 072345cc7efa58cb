import { objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import { computedIndex } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";

const finalizer = "kubernetes.io/pvc-protection";
const byClaim = computedIndex(Pod, claimsOf);
/** After so long a mirror knows what the server knew. */
const catchUpMs = 1000;

/** Lets a PersistentVolumeClaim go when no pod on any node uses it. */
export const claimProtectionController: Controller = defineController(PersistentVolumeClaim, {
  name: "persistentvolumeclaim-protection-controller",
  watches: [watch(Pod, { indexes: [byClaim], predicates: [({ object }) => object === undefined], toKeys: claimsOf })],
  selfVerbs: ["update"],
  async reconcile(claim, { cache, client, live }) {
    const { deletionTimestamp, finalizers = [] } = claim.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
    const key = objectKey(claim.metadata);
    if (cache.by(Pod, byClaim, key).some(isPlaced)) return;
    // A cache may not know yet that a pod has come to its node, and what is let go does not come back.
    const { items } = await live.list(Pod, { namespace: claim.metadata.namespace ?? "" });
    if (items.some((pod) => isPlaced(pod) && claimsOf(pod).includes(key))) return recheckAfter(catchUpMs);
    const others = finalizers.filter((each) => each !== finalizer);
    await client.update(PersistentVolumeClaim, { ...claim, metadata: { ...claim.metadata, finalizers: others } });
  },
});

function isPlaced({ spec }: Pod): boolean {
  return (spec?.nodeName ?? "") !== "";
}

function claimsOf({ metadata, spec }: Pod): readonly ObjectKey[] {
  const { namespace } = metadata;
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
    ...(persistentVolumeClaim === undefined ? [] : [objectKey({ namespace, name: persistentVolumeClaim.claimName })]),
    ...(ephemeral === undefined ? [] : [objectKey({ namespace, name: `${metadata.name}-${name}` })]),
  ]);
}
