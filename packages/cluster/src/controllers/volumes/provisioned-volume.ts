import type { Draft } from "@kaji/core";
import type { PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import type { StorageClass } from "@kaji/types/storage/v1";
import { simulatedProvisioner } from "./storage-classes.ts";
import { provisionedBy } from "./volume-annotations.ts";

/** The volume that is made for a claim: as large as it asks for, reachable from everywhere, and named after it so that it is made once. */
export function provisionedVolume(
  { metadata, spec = {} }: PersistentVolumeClaim,
  storageClass: StorageClass,
): Draft<PersistentVolume> & { readonly metadata: { readonly name: string } } {
  const { namespace = "", name: claimName, uid = "", resourceVersion = "" } = metadata;
  const name = `pvc-${uid}`;
  const { accessModes, volumeMode, resources, volumeAttributesClassName } = spec;
  return {
    metadata: { name, annotations: { [provisionedBy]: simulatedProvisioner } },
    spec: {
      capacity: { storage: resources?.requests?.["storage"] ?? "0" },
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: storageClass.mountOptions }),
      storageClassName: storageClass.metadata.name,
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      csi: { driver: simulatedProvisioner, volumeHandle: name },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: claimName, uid, resourceVersion },
    },
  };
}
