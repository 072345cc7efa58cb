import type { KubeObject, ListMeta } from "../object/kube-object.ts";

/** An object reduced to its metadata; `version` is that of the group `meta.k8s.io`. */
export function partialMetadata({ metadata }: Pick<KubeObject, "metadata">, version: string): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** A list whose items are reduced to their metadata. */
export function partialMetadataList(items: readonly KubeObject[], metadata: ListMeta, version: string): Readonly<Record<string, unknown>> {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) => partialMetadata(item, version)),
  };
}
