import { controllerOf, isNamespaceEnding } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { controllerReference } from "../ownership/controller-reference.ts";

/** Makes the claims of volumes that live as long as their pod. */
export const ephemeralVolumeController: Controller = defineController(Pod, {
  name: "ephemeral-volume-controller",
  owns: [owned(PersistentVolumeClaim, { applied: false })],
  predicates: [({ object }) => object?.spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true],
  async reconcile(pod, { cache, client, event }) {
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const { namespace = "" } = pod.metadata;
    for (const { name: volumeName, ephemeral } of pod.spec?.volumes ?? []) {
      const template = ephemeral?.volumeClaimTemplate;
      if (template === undefined) continue;
      const name = `${pod.metadata.name}-${volumeName}`;
      const present = cache.get(PersistentVolumeClaim, { namespace, name });
      if (present !== undefined && controllerOf(present)?.uid !== pod.metadata.uid) {
        const message = `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
        event("Warning", "EphemeralVolumeCreationFailed", message);
      }
      if (present !== undefined) continue;
      const { labels = {}, annotations = {} } = template.metadata ?? {};
      const metadata = { namespace, name, labels, annotations, ownerReferences: [controllerReference(Pod, pod)] };
      try {
        await client.create(PersistentVolumeClaim, { metadata, spec: template.spec });
      } catch (error) {
        if (!isNamespaceEnding(error)) throw error;
      }
    }
  },
});
