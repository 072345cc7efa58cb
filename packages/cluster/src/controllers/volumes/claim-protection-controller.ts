import { objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import { byNamespace } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";

const finalizer = "kubernetes.io/pvc-protection";

/** Lets a PersistentVolumeClaim go when no pod on any node uses it. */
export const claimProtectionController: Controller = defineController(PersistentVolumeClaim, {
  name: "persistentvolumeclaim-protection-controller",
  watches: [watch(Pod, { indexes: [byNamespace], predicates: [({ object }) => object === undefined], toKeys: claimsOf })],
  selfVerbs: ["update"],
  async reconcile(claim, { cache, client }) {
    const { deletionTimestamp, finalizers = [], namespace = "", name } = claim.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
    const isUsed = cache.by(Pod, byNamespace, namespace).some((pod) => (pod.spec?.nodeName ?? "") !== "" && claimNames(pod).includes(name));
    if (isUsed) return;
    const others = finalizers.filter((each) => each !== finalizer);
    await client.update(PersistentVolumeClaim, { ...claim, metadata: { ...claim.metadata, finalizers: others } });
  },
});

function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
    ...(persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName]),
    ...(ephemeral === undefined ? [] : [`${metadata.name}-${name}`]),
  ]);
}

function claimsOf(pod: Pod): readonly ObjectKey[] {
  return claimNames(pod).map((name) => objectKey({ namespace: pod.metadata.namespace, name }));
}
