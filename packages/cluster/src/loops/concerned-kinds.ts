import type { ApiServer, StorageEvent } from "@kaji/apiserver";
import type { Resource } from "@kaji/core";
import type { Controller } from "@kaji/runtime";

/** The kinds whose changes concern a controller. */
export interface ConcernedKinds {
  /** What it looks after. */
  readonly own: Resource;
  /** What bears on that: where there is nothing to look after, no change of these matters. */
  readonly others: readonly Resource[];
}

/** The kinds that a controller says it follows. */
export function concernedKinds({ resource, owns, watches }: Controller): ConcernedKinds {
  const followed = watches.filter(({ toKeys }) => toKeys !== undefined);
  return { own: resource, others: [...owns, ...followed].map((each) => each.resource) };
}

/**
 * Whether a change concerns whoever looks after these kinds. To be asked of every change from some moment on, up to the first that does: until then there is as
 * much to look after as there was at first.
 */
export function concernsKinds({ kinds, registry }: ApiServer, { own, others }: ConcernedKinds): (change: StorageEvent) => boolean {
  const ownPrefix = prefixOf(kinds, own);
  const prefixes = others.map((resource) => prefixOf(kinds, resource));
  let isNeeded: boolean | undefined;
  return ({ key }) =>
    key.startsWith(ownPrefix) ||
    (isNeeded !== false && prefixes.some((prefix) => key.startsWith(prefix)) && (isNeeded ??= registry.storage.count(ownPrefix) > 0));
}

function prefixOf(kinds: ApiServer["kinds"], { group, plural }: Resource): string {
  const kind = kinds.get(group, plural);
  if (kind === undefined) throw new TypeError(`${plural}.${group} is not served`);
  return kind.storagePrefix;
}
