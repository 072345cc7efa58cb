import { objectKey, parseApiVersion } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { DeliveredDelta, Delta } from "@kaji/informer";
import type { ObjectChange } from "../declare/predicate.ts";

/** Which objects to reconcile because of an object. */
export type ToKeys<T> = (object: DeepReadonly<T>) => Iterable<ObjectKey | string>;

/** An object of which no more than its metadata is looked at. */
export type MetadataOnly = Pick<KubeObject, "metadata">;

/** The object itself. */
export function forObject({ metadata }: MetadataOnly): Iterable<ObjectKey> {
  return [objectKey(metadata)];
}

/** The owners of a kind that an object has: the controlling one, or every one. */
export function forOwner(
  owner: Resource,
  { everyOwner = false }: { readonly everyOwner?: boolean } = {},
): (object: MetadataOnly) => ObjectKey[] {
  return ({ metadata }) => {
    const keys: ObjectKey[] = [];
    for (const { apiVersion, kind, name, controller } of metadata.ownerReferences ?? []) {
      if (kind !== owner.kind || parseApiVersion(apiVersion).group !== owner.group) continue;
      if (!everyOwner && controller !== true) continue;
      keys.push(objectKey({ name, namespace: owner.scope === "Namespaced" ? metadata.namespace : undefined }));
    }
    return keys;
  };
}

/** A change as mappings see it. */
export interface Change<O> {
  readonly object: O | undefined;
  readonly previous: O | undefined;
}

/** A delta as predicates see it. */
export function changeOf<T extends KubeObject>(delta: Delta<DeepReadonly<T>>): ObjectChange<T> {
  return change(delta.type, delta.object, "previous" in delta ? delta.previous : undefined);
}

/** A delta as those see it who look at metadata only, so that the rest is not parsed. */
export function metadataChangeOf({ type, metadata, previousMetadata }: DeliveredDelta<KubeObject>): Change<MetadataOnly> {
  return change(type, { metadata }, previousMetadata && { metadata: previousMetadata });
}

function change<O>(type: Delta<O>["type"], object: O, previous: O | undefined): Change<O> {
  switch (type) {
    case "Added":
    case "Updated":
    case "Replaced":
      return { object, previous };
    case "Sync":
      return { object, previous: object };
    case "Deleted":
      return { object: undefined, previous: object };
    default:
      return type satisfies never;
  }
}
