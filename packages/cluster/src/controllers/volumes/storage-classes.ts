import type { KubeClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import type { CacheReads } from "@kaji/runtime";
import type { PersistentVolumeClaim } from "@kaji/types/core/v1";
import { StorageClass } from "@kaji/types/storage/v1";

/** The name of the provisioner, which is this package's own claim binder; its volumes hold no data. */
export const simulatedProvisioner = "simulated.kaji.dev";

const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

/** Creates the default StorageClass, which a claim gets that names none. */
export async function createStandardClass(client: KubeClient): Promise<void> {
  try {
    await client.create(StorageClass, {
      metadata: { name: "standard", annotations: { [defaultAnnotation]: "true" } },
      provisioner: simulatedProvisioner,
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    });
  } catch (error) {
    if (!isReason(error, "AlreadyExists")) throw error;
  }
}

/** The class of a claim; undefined if it has none, or if there is none of that name. */
export function classOf({ spec }: PersistentVolumeClaim, cache: CacheReads<StorageClass>): StorageClass | undefined {
  const { storageClassName: name = "" } = spec ?? {};
  return name === "" ? undefined : cache.get(StorageClass, { name });
}

/** The class for claims that name none: of several, the newest. */
export function defaultClass(cache: CacheReads<StorageClass>): StorageClass | undefined {
  const classes: readonly StorageClass[] = [...cache.list(StorageClass)];
  const birth = ({ metadata }: StorageClass): string => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return classes
    .filter(({ metadata }) => metadata.annotations?.[defaultAnnotation] === "true")
    .toSorted((left, right) => (birth(left) > birth(right) ? -1 : 1))[0];
}
