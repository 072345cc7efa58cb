import type { DynamicObject, KubeObject, ListMeta } from "@kaji/core";

/** An object reduced to its metadata; `version` is that of the group `meta.k8s.io`. */
export function partialMetadata({ metadata }: Pick<DynamicObject, "metadata">, version: string): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** A list whose items are reduced to their metadata. */
export function partialMetadataList(
  items: readonly DynamicObject[],
  metadata: ListMeta,
  version: string,
): Readonly<Record<string, unknown>> {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) => partialMetadata(item, version)),
  };
}
