import type { ObjectKey, Resource } from "@kaji/core";

const known = new WeakMap<Resource, string>();

/** Names a kind in maps: two resources of the same collection have the same. */
export function kindId(resource: Resource): string {
  const id = known.get(resource);
  if (id !== undefined) return id;
  const made = `${resource.group}/${resource.version}/${resource.plural}`;
  known.set(resource, made);
  return made;
}

/** Names an object whatever the version in which it is read or written. */
export function storedId({ group, plural }: Resource, key: ObjectKey): string {
  return `${group}/${plural} ${key}`;
}

/** Names an object in maps that have objects of several kinds. */
export function objectId(resource: Resource, key: ObjectKey): string {
  return `${kindId(resource)} ${key}`;
}
