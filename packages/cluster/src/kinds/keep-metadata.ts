import type { DynamicObject } from "@kaji/core";

/** An object with the metadata that clients may otherwise change as it was. */
export function keepMetadata(object: DynamicObject, old: DynamicObject): DynamicObject {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ownerReferences: _owners, ...metadata } = object.metadata;
  const { labels, annotations, finalizers, ownerReferences } = old.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  };
}
