import { resource } from "@kaji/core";
import type { DynamicObject, GroupVersion, Resource } from "@kaji/core";

/** A kind as a server describes it: enough to use it, and what a user may call it. */
export interface ServedResource extends Resource<DynamicObject> {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Their names, such as `status` and `scale`. */
  readonly subresources: readonly string[];
}

/** A list on the wire: Go writes an empty one as null. */
export type MaybeList<T> = readonly T[] | null | undefined;

/** What is in a list on the wire. */
export function listOf<T>(list: MaybeList<T>): readonly T[] {
  return list ?? [];
}

/** What a server says of a kind, in whichever form of discovery. */
export interface ServedFacts {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly verbs?: MaybeList<string>;
  readonly shortNames?: MaybeList<string>;
  readonly categories?: MaybeList<string>;
}

/** A kind from its facts. */
export function servedResource({ group, version }: GroupVersion, facts: ServedFacts, subresources: readonly string[]): ServedResource {
  const { plural, singular, kind, isNamespaced, verbs, shortNames, categories } = facts;
  const scope = isNamespaced ? "Namespaced" : "Cluster";
  const names = { group, version, kind, plural, scope, ...(singular === "" ? {} : { singular }) } as const;
  const lists = { shortNames: listOf(shortNames), categories: listOf(categories), verbs: listOf(verbs) };
  return Object.freeze({ ...resource<DynamicObject>(names), ...lists, subresources });
}
