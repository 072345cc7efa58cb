import type { ApiServer, Entry, StorageEvent } from "@kaji/apiserver";
import { RecentMap, objectOf, parseJsonBytes } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { and } from "@kaji/runtime";
import type { Controller, ObjectChange, Predicate } from "@kaji/runtime";

/** The kinds whose changes concern a controller. */
export interface ConcernedKinds {
  /** What it looks after. */
  readonly own: Resource;
  /** What bears on that: where there is nothing to look after, no change of these matters. */
  readonly others: readonly Resource[];
  /** More that bears on one of what it looks after, by the names of kinds, such as `deployments.apps`. Default: nothing does. */
  readonly named?: (own: never) => Iterable<string>;
  /** Whether it looks at a change of what it looks after. Default: at any. */
  readonly counts?: Predicate<never>;
}

/** The kinds that a controller says it follows, and by its predicates what of its own. */
export function concernedKinds({ resource, owns, watches, predicates }: Controller): ConcernedKinds {
  const followed = watches.filter(({ toKeys }) => toKeys !== undefined);
  const others = [...owns, ...followed].map((each) => each.resource);
  return { own: resource, others, ...(predicates.length > 0 && { counts: and(...predicates) }) };
}

/**
 * Whether a change concerns whoever looks after these kinds. To be asked of every change from some moment on, up to the first that does: until then there is as
 * much to look after as there was at first.
 */
export function concernsKinds(
  { kinds, registry }: ApiServer,
  { own, others, named, counts }: ConcernedKinds,
): (change: StorageEvent) => boolean {
  const { storage } = registry;
  const ownPrefix = prefixOf(kinds, own);
  const prefixes = others.map((resource) => prefixOf(kinds, resource));
  const hasOwn = (): boolean =>
    counts === undefined
      ? storage.count(ownPrefix) > 0
      : storage.list(ownPrefix).entries.some((entry) => holds(counts, { object: objectIn(entry), previous: undefined }));
  // A kind that is not served has no objects.
  const namedPrefixes = (): readonly string[] =>
    named === undefined
      ? []
      : storage
          .list(ownPrefix)
          .entries.flatMap((entry) => [...named(objectIn(entry) as never)].flatMap((name) => prefixNamed(kinds, name)));
  let isNeeded: boolean | undefined;
  let more: readonly string[] | undefined;
  const bears = ({ key }: StorageEvent): boolean =>
    prefixes.some((prefix) => key.startsWith(prefix)) || (more ??= namedPrefixes()).some((prefix) => key.startsWith(prefix));
  return (change) => {
    if (change.key.startsWith(ownPrefix)) return counts === undefined || holds(counts, objectChange(change));
    return isNeeded !== false && bears(change) && (isNeeded ??= hasOwn());
  };
}

/** A predicate that throws counts as holding, as it does in a controller. */
function holds(predicate: Predicate<never>, change: ObjectChange<KubeObject>): boolean {
  try {
    // What is stored there is of the kind that the predicate is for.
    return predicate(change as ObjectChange<never>);
  } catch {
    return true;
  }
}

/** What became of an object, which is not parsed before somebody looks at it. */
function objectChange(change: StorageEvent): ObjectChange<KubeObject> {
  const { previous } = change;
  return {
    get object() {
      return change.type === "Put" ? objectIn(change.entry) : undefined;
    },
    get previous() {
      return previous === undefined ? undefined : objectIn(previous);
    },
  };
}

/** Several controllers ask about the same change. */
const parsed = new RecentMap<Entry, KubeObject>(16);

function objectIn(entry: Entry): KubeObject {
  let object = parsed.get(entry);
  if (object === undefined) parsed.set(entry, (object = objectOf(parseJsonBytes(entry.bytes))));
  return object;
}

function prefixOf(kinds: ApiServer["kinds"], { group, plural }: Resource): string {
  const kind = kinds.get(group, plural);
  if (kind === undefined) throw new TypeError(`${plural}.${group} is not served`);
  return kind.storagePrefix;
}

function prefixNamed(kinds: ApiServer["kinds"], name: string): string | readonly [] {
  const [plural = "", ...group] = name.split(".");
  return kinds.get(group.join("."), plural)?.storagePrefix ?? [];
}
