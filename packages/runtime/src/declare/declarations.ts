import type { KubeObject, LabelSelector, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Index, ListerQuery } from "@kaji/informer";
import type { Predicate } from "./predicate.ts";

/** What can be done with the objects of a kind without changing them. */
export type ReadVerb = "get" | "list" | "watch";
/** What changes the objects of a kind. */
export type WriteVerb = "create" | "update" | "patch" | "delete" | "deletecollection";
/** What can be done with a part of an object that has a path of its own, such as `update/status` or `create/eviction`. */
export type SubresourceVerb = `${"get" | "create" | "update" | "patch"}/${string}`;
/** What can be done with the objects of a kind, and with their parts. */
export type Verb = ReadVerb | WriteVerb | SubresourceVerb;

/** A kind whose objects a controller makes: it is mirrored, its changes lead to the owner, and it may be created, patched and deleted. */
export interface Owned<T extends KubeObject = KubeObject, Verbs extends Verb = Verb> extends Omit<
  OwnedOptions<never>,
  "predicates" | "indexes" | "verbs"
> {
  readonly type: "Owned";
  readonly resource: Resource<T>;
  readonly predicates: readonly Predicate<never>[];
  readonly indexes: readonly Index<never>[];
  readonly verbs: readonly Verbs[];
}

/** What there is to say about an owned kind. */
export interface OwnedOptions<T extends KubeObject, Verbs extends Verb = Verb> {
  /** Whether a change enqueues every owner of the controller's kind, not only the controlling one. Default false. */
  readonly everyOwner?: boolean;
  readonly predicates?: readonly Predicate<T>[];
  readonly labelSelector?: string | LabelSelector;
  readonly indexes?: readonly Index<T>[];
  /**
   * Whether children are made by `apply`, which needs the server's record of who set which field in memory. Default true; without it they are made by `create`, and never pruned.
   */
  readonly applied?: boolean;
  /** What else than reading, creating, patching and deleting is done with it. Default none. */
  readonly verbs?: readonly Verbs[];
}

/** A kind whose changes matter to a controller: it is mirrored and may be read. */
export interface Watched<T extends KubeObject = KubeObject, Verbs extends Verb = Verb> extends Omit<
  WatchedOptions<never>,
  "predicates" | "indexes" | "verbs"
> {
  readonly type: "Watched";
  readonly resource: Resource<T>;
  readonly predicates: readonly Predicate<never>[];
  readonly indexes: readonly Index<never>[];
  readonly verbs: readonly Verbs[];
}

/** What there is to say about a watched kind. */
export interface WatchedOptions<T extends KubeObject, Verbs extends Verb = Verb> {
  /** Which objects to reconcile when one of these changes; called with the old and with the new state. Absent: none, the kind is only read. */
  readonly toKeys?: ((object: DeepReadonly<T>, reads: MappingReads) => Iterable<ObjectKey | string>) | undefined;
  readonly predicates?: readonly Predicate<T>[];
  readonly labelSelector?: string | LabelSelector;
  readonly fieldSelector?: string;
  readonly namespaces?: readonly string[];
  readonly indexes?: readonly Index<T>[];
  /** What else than reading is done with it. Default none. */
  readonly verbs?: readonly Verbs[];
}

/** A kind that a controller reads live from the server or writes, without mirroring it. */
export interface Used<T extends KubeObject = KubeObject, Verbs extends Verb = Verb> {
  readonly type: "Used";
  readonly resource: Resource<T>;
  readonly verbs: readonly Verbs[];
}

/** The reads that a mapping from changed objects to keys may use: the mirrors of the controller. */
export interface MappingReads {
  list<T extends KubeObject>(resource: Resource<T>, query?: ListerQuery): IteratorObject<DeepReadonly<T>, undefined>;
  by<T extends KubeObject>(
    resource: Resource<T>,
    index: Index<T>,
    value: string | number | boolean,
  ): IteratorObject<DeepReadonly<T>, undefined>;
}

/** Declares an owned kind with more than its name. */
export function owned<T extends KubeObject, const Verbs extends Verb = never>(
  resource: Resource<T>,
  options: OwnedOptions<T, Verbs> = {},
): Owned<T, NoInfer<Verbs>> {
  const { predicates = [], indexes = [], verbs = [], ...rest } = options;
  return { type: "Owned", resource, predicates, indexes, verbs, ...rest };
}

/** Declares a watched kind. */
export function watch<T extends KubeObject, const Verbs extends Verb = never>(
  resource: Resource<T>,
  options: WatchedOptions<T, Verbs> = {},
): Watched<T, NoInfer<Verbs>> {
  const { predicates = [], indexes = [], verbs = [], ...rest } = options;
  return { type: "Watched", resource, predicates, indexes, verbs, ...rest };
}

/** Declares a kind that is used live, with what is done with it. */
export function use<T extends KubeObject, const Verbs extends Exclude<Verb, "watch">>(
  resource: Resource<T>,
  ...verbs: readonly Verbs[]
): Used<T, NoInfer<Verbs>> {
  return { type: "Used", resource, verbs };
}
