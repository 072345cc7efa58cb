import { objectKey, parseApiVersion } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta } from "@kaji/informer";
import type { ObjectChange } from "../declare/predicate.ts";

/** Which objects to reconcile because of an object. */
export type ToKeys<T extends KubeObject> = (object: DeepReadonly<T>) => Iterable<ObjectKey | string>;

/** The object itself. */
export function forObject({ metadata }: KubeObject): Iterable<ObjectKey> {
  return [objectKey(metadata)];
}

/** The owners of a kind that an object has: the controlling one, or every one. */
export function forOwner(
  owner: Resource,
  { everyOwner = false }: { readonly everyOwner?: boolean } = {},
): (object: KubeObject) => ObjectKey[] {
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

/** A delta as predicates see it. */
export function changeOf<T extends KubeObject>(delta: Delta<DeepReadonly<T>>): ObjectChange<T> {
  switch (delta.type) {
    case "Added":
    case "Sync":
      return { object: delta.object, previous: delta.type === "Sync" ? delta.object : undefined };
    case "Updated":
    case "Replaced":
      return { object: delta.object, previous: delta.previous };
    case "Deleted":
      return { object: undefined, previous: delta.object };
    default:
      return delta satisfies never;
  }
}
