import type { DynamicObject, KubeObject, ListMeta } from "@kaji/core";

/** An object reduced to its metadata. */
export function partialMetadata(object: DynamicObject): KubeObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

/** A list whose items are reduced to their metadata. */
export function partialMetadataList(items: readonly DynamicObject[], metadata: ListMeta): Readonly<Record<string, unknown>> {
  return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items: items.map(partialMetadata) };
}
