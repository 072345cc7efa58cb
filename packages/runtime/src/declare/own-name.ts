import type { Resource } from "@kaji/core";

/** A name that a controller puts into its objects, such as that of a finalizer or an annotation: under the group of the kind, or under ours where it has none. */
export function ownName({ group }: Resource, name: string): string {
  return `${group === "" ? "kaji.dev" : group}/${name}`;
}
