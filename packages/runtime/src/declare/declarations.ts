import type { ObjectAddress } from "@kaji/client";
import type { KubeObject, LabelSelector, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { asView } from "@kaji/informer";
import type { Index, ListerQuery, View } from "@kaji/informer";
import { declaredResource } from "./any-kind.ts";
import type { AnyKind } from "./any-kind.ts";
import type { Predicate } from "./predicate.ts";
import type { Prioritized } from "./priority.ts";

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
  readonly resource: Resource;
  /** How much of its objects is mirrored. */
  readonly view: View<T>;
  readonly predicates: readonly Predicate<never>[];
  readonly indexes: readonly Index<never>[];
  readonly verbs: readonly Verbs[];
}

/** Which objects of a kind are looked at: the server sends no others. */
export interface KindSelection {
  readonly labelSelector?: string | LabelSelector | undefined;
  /** Such as `spec.nodeName=a` of Pods; the server knows few fields of a kind. */
  readonly fieldSelector?: string | undefined;
  /** Default: where the operator looks. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Whether an operator can do without a kind. */
export interface OptionalKind {
  /**
   * Whether the server may lack the kind, such as one of another operator: then there are no objects of it, `isServed` is false, and all is reconciled again when it has been installed. Default
   * false: the operator does not start without it.
   */
  readonly optional?: boolean | undefined;
}

/** What there is to say about an owned kind. */
export interface OwnedOptions<T extends KubeObject, Verbs extends Verb = Verb> extends KindSelection, OptionalKind {
  /** Whether a change enqueues every owner of the controller's kind, not only the controlling one. Default false. */
  readonly everyOwner?: boolean;
  readonly predicates?: readonly Predicate<T>[];
  readonly indexes?: readonly Index<T>[];
  /**
   * Whether children are made by `apply`, which needs whole objects and the server's record of who set which field in memory. Default true, and false for a view; without it they are made
   * by `create`, and never pruned.
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
  readonly resource: Resource;
  /** How much of its objects is mirrored. */
  readonly view: View<T>;
  readonly predicates: readonly Predicate<never>[];
  readonly indexes: readonly Index<never>[];
  readonly verbs: readonly Verbs[];
}

/** What there is to say about a watched kind. Its priority is that of the keys which its changes lead to: -1 for a kind each of whose changes concerns thousands of objects. */
export interface WatchedOptions<T extends KubeObject, Verbs extends Verb = Verb> extends KindSelection, OptionalKind, Prioritized {
  /**
   * The keys of the objects to reconcile when one of these changes, as `objectKey(metadata)` makes them; called with the old and with the new state. Default: those whose last reconcile has read
   * it, or would find it now. `() => []` is for a kind that is read, and whose changes can wait.
   */
  readonly toKeys?: ((object: DeepReadonly<T>, reads: MappingReads) => Iterable<ObjectKey | string>) | undefined;
  readonly predicates?: readonly Predicate<T>[];
  readonly indexes?: readonly Index<T>[];
  /**
   * Whether `isApplied` is asked about its objects, which needs whole objects and the server's record of who set which field in memory. Default: whether they may be created and patched.
   */
  readonly applied?: boolean;
  /** What else than reading is done with it. Default none. */
  readonly verbs?: readonly Verbs[];
}

/** A kind that a controller reads live from the server or writes, without mirroring it. */
export interface Used<T extends KubeObject = KubeObject, Verbs extends Verb = Verb> {
  readonly type: "Used";
  readonly resource: Resource<T>;
  readonly verbs: readonly Verbs[];
}

/**
 * What RBAC asks of an operator beside its requests: to `bind` a role that it gives to others, to `escalate`, `impersonate` or `sign`, or to have what the roles that it makes allow. It holds
 * where the kind is looked after, and in the whole cluster where the controller has no other dealings with it.
 */
export interface DeclaredPermission {
  /** Empty for the kinds of `v1`. */
  readonly apiGroup: string;
  /** The plural, such as `clusterroles`, with its subresource if it is about one. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Which objects it is about. Default: all. */
  readonly resourceNames?: readonly string[] | undefined;
}

/** The reads that a mapping from changed objects to keys, or a source, may use: the mirrors of the controller. */
export interface MappingReads {
  readonly get: <T extends KubeObject>(of: Resource<T> | View<T>, address: ObjectAddress) => DeepReadonly<T> | undefined;
  readonly list: <T extends KubeObject>(of: Resource<T> | View<T>, query?: ListerQuery) => IteratorObject<DeepReadonly<T>, undefined>;
  readonly by: <T extends KubeObject>(
    of: Resource<T> | View<T>,
    index: Index<T>,
    value: string | number | boolean,
    query?: ListerQuery,
  ) => IteratorObject<DeepReadonly<T>, undefined>;
}

/**
 * Declares an owned kind with more than its name. Of a view, such as `metadataOf(ConfigMap)`, nothing else than what it shows is mirrored. What is said of `anyKind` holds for each kind that comes
 * to be owned, and is not owned by its name.
 */
export function owned<T extends KubeObject, const Verbs extends Verb = never>(
  of: Resource<T> | View<T> | AnyKind,
  options: OwnedOptions<T, Verbs> = {},
): Owned<T, NoInfer<Verbs>> {
  const { predicates = [], indexes = [], verbs = [], applied, ...rest } = options;
  const view = declaredView(of);
  if (applied === true) requireWhole(view, "owned");
  return { type: "Owned", resource: view.resource, view, predicates, indexes, verbs, applied: applied ?? view.type === "Whole", ...rest };
}

/**
 * Declares a watched kind. Of a view, such as `metadataOf(Pod)`, nothing else than what it shows is mirrored, and is there to be read. What is said of `anyKind` holds for each kind that is asked
 * for, and is not watched by its name.
 */
export function watch<T extends KubeObject, const Verbs extends Verb = never>(
  of: Resource<T> | View<T> | AnyKind,
  options: WatchedOptions<T, Verbs> = {},
): Watched<T, NoInfer<Verbs>> {
  const { predicates = [], indexes = [], verbs = [], applied, ...rest } = options;
  const view = declaredView(of);
  if (applied === true) requireWhole(view, "watch");
  const allowed: readonly Verb[] = verbs;
  const mayApply = allowed.includes("create") && allowed.includes("patch");
  return { type: "Watched", resource: view.resource, view, predicates, indexes, verbs, applied: applied ?? mayApply, ...rest };
}

/** Declares a kind that is used live, with what is done with it; `anyKind` stands for all, where it is known only at run time which. */
export function use<T extends KubeObject, const Verbs extends Exclude<Verb, "watch">>(
  of: Resource<T> | AnyKind,
  ...verbs: readonly Verbs[]
): Used<T, NoInfer<Verbs>> {
  // Nothing is known of the objects of all kinds: `T` is what every object is.
  return { type: "Used", resource: declaredResource(of) as Resource<T>, verbs };
}

/** How much is mirrored of what a declaration is about. */
function declaredView<T extends KubeObject>(of: Resource<T> | View<T> | AnyKind): View<T> {
  return asView(declaredResource(of) as Resource<T> | View<T>);
}

function requireWhole({ type, resource }: View<KubeObject>, declaration: "owned" | "watch"): void {
  if (type === "Whole") return;
  throw new TypeError(`${declaration}(): ${resource.kind} is a view here, and only whole objects can be applied; leave out applied`);
}
