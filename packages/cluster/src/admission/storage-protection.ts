import type { AdmissionPlugin } from "@kaji/apiserver";

const finalizerOf: Readonly<Record<string, string>> = {
  "/persistentvolumes": "kubernetes.io/pv-protection",
  "/persistentvolumeclaims": "kubernetes.io/pvc-protection",
  "storage.k8s.io/volumeattributesclasses": "kubernetes.io/vac-protection",
};

/** Keeps volumes, claims and classes of attributes from going away while they are used: a controller takes the finalizer away when they are not. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  resources: Object.keys(finalizerOf),
  mutate: ({ operation, target: { kind, subresource }, object }) => {
    const finalizer = subresource === undefined ? finalizerOf[`${kind.group}/${kind.plural}`] : undefined;
    const { finalizers = [] } = object.metadata;
    if (operation !== "CREATE" || finalizer === undefined || finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  },
};
