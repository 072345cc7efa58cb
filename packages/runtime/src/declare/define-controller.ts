import { durationMs, formatKind, isDefinition, qualifiedNameErrors } from "@kaji/core";
import type { DurationLike, KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Index, View } from "@kaji/informer";
import type { AccessOf } from "./access.ts";
import type { AnyKind } from "./any-kind.ts";
import { owned, watch } from "./declarations.ts";
import type { DeclaredPermission, KindSelection, Owned, Used, Verb, Watched } from "./declarations.ts";
import type { Backoff } from "../queue/rate-limiter.ts";
import { ownName } from "./own-name.ts";
import type { Predicate } from "./predicate.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { Result } from "./result.ts";
import type { Source } from "./source.ts";

type OwnedEntry = Resource | View<KubeObject> | Owned | AnyKind;
type WatchedEntry = Resource | View<KubeObject> | Watched | AnyKind;

/** What a controller is: what it looks after, what it needs for that, and how it brings the present to what is wanted. */
export interface ControllerOptions<
  T extends KubeObject,
  Owns extends readonly OwnedEntry[],
  Watches extends readonly WatchedEntry[],
  Uses extends readonly Used[],
  Self extends Verb,
> extends KindSelection {
  /** What its finalizer, effects, fields and children are known by. Default: the kind in lower case. Where the kind is of others, whose controllers may have that name too, it needs one of its own. */
  readonly name?: string;
  /** Kinds whose objects it makes for the objects it looks after. */
  readonly owns?: Owns;
  /** Kinds that it reads. A change leads to the objects whose last reconcile has read it, or would find it now, unless `toKeys` of `watch` says otherwise. */
  readonly watches?: Watches;
  readonly uses?: Uses;
  /** What asks for reconciles from outside the cluster. */
  readonly sources?: readonly Source<NoInfer<T>>[];
  readonly indexes?: readonly Index<NoInfer<T>>[];
  /** Which changes of the object itself count: all of these must hold. Default: every change counts. */
  readonly predicates?: readonly Predicate<NoInfer<T>>[];
  /** How many objects are reconciled at once, never one object twice. Default 1. */
  readonly concurrency?: number;
  /** How long one reconcile may take. Default 5 min. */
  readonly timeout?: DurationLike;
  /** How failures are retried, or a function that makes a rate limiter. Default: after 5 ms, and then twice as long each time, up to 2 min. */
  readonly backoff?: Backoff<ObjectKey>;
  /**
   * How long an object is left alone after each reconcile, however often it is asked for meanwhile: for what sums up many objects, or asks somebody outside who may not be asked often. Default 0. What is
   * asked for in between comes once, when that time is over.
   */
  readonly pace?: DurationLike;
  /** Whether it runs only on the elected leader. Default true. */
  readonly needsLeader?: boolean;
  /** Under which name fields come to be owned. Default: the name of the controller. */
  readonly fieldManager?: string;
  /**
   * The field managers of programs that did this work before, as `managedFields` of their children name them. Fields that they have set are this controller's from then on: what it does not apply is removed. Children
   * that they made, and that have no controller, are adopted. Default: none.
   */
  readonly takesOver?: readonly string[];
  /** The finalizer, where there is `finalize`. Default: `GROUP/NAME` of the controller. */
  readonly finalizer?: string;
  /**
   * Which objects `finalize` is for: no other gets the finalizer. One that has it, and is no longer among them, is finalized and let go, as if it were deleted; then it is reconciled as others are. For a kind of many, where some are another's, such as a
   * GatewayClass. What another object decides, as the class of a Gateway does, is read from the cache, and remembered like what a reconcile reads. Default: all.
   */
  readonly finalizes?: (
    object: DeepReadonly<NoInfer<T>>,
    context: Pick<ContextOf<NoInfer<T>, Owns, Watches, Uses, Self>, "cache" | "isServed">,
  ) => boolean;
  /** Which verbs on its own kind it needs beyond reading it and writing its status. Default: none. */
  readonly selfVerbs?: readonly Self[];
  /** Whether it writes the status of its objects. Default true; false keeps that right out of the role of an operator that looks after a kind of others, such as Node. */
  readonly writesStatus?: boolean;
  /** What RBAC asks for beside the requests it makes, such as to `bind` the roles that it gives to others. Default: nothing. */
  readonly permissions?: readonly DeclaredPermission[];
  /**
   * Brings the present to what is wanted: it is called with the object as it is, whatever happened, and may be called at any time. What it writes itself does not lead to another call, unless it deletes: one that
   * stops half way returns `requeue()` or `requeueAfter()`, and keeps all children that it has. One that returns nothing is done, and so is one that returns `recheckAfter()`: children that it did not
   * apply are deleted.
   */
  reconcile(object: DeepReadonly<T>, context: ContextOf<T, Owns, Watches, Uses, Self>): Promise<Result> | Result;
  /** Cleans up before the object is deleted, or let go by `finalizes`. The framework adds the finalizer before the first reconcile and removes it when this is done. */
  finalize?(object: DeepReadonly<T>, context: ContextOf<T, Owns, Watches, Uses, Self>): Promise<Result> | Result;
}

/** The context that the declarations of a controller give. */
export type ContextOf<
  T extends KubeObject,
  Owns extends readonly OwnedEntry[] = readonly [],
  Watches extends readonly WatchedEntry[] = readonly [],
  Uses extends readonly Used[] = readonly [],
  Self extends Verb = never,
> = ReconcileContext<T, AccessOf<T, Owns[number], Watches[number], Uses[number], Self>>;

/** A controller, ready to be run and to be asked what it needs. */
export interface Controller {
  readonly name: string;
  readonly resource: Resource;
  readonly owns: readonly Owned[];
  readonly watches: readonly Watched[];
  readonly uses: readonly Used[];
  readonly selfVerbs: readonly Verb[];
  readonly writesStatus: boolean;
  readonly permissions: readonly DeclaredPermission[];
  readonly sources: readonly Source<never>[];
  readonly indexes: readonly Index<never>[];
  readonly predicates: readonly Predicate<never>[];
  /** Of its own kind. */
  readonly selection: KindSelection;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly backoff: Backoff<ObjectKey>;
  readonly paceMs: number;
  readonly needsLeader: boolean;
  readonly fieldManager: string;
  /** The field managers of programs whose place it takes. */
  readonly takesOver: readonly string[];
  /** Present where there is `finalize`. */
  readonly finalizer: string | undefined;
  /** Undefined where all objects are to be finalized. */
  readonly finalizes: ((object: never, context: never) => boolean) | undefined;
  readonly reconcile: (object: never, context: never) => Promise<Result> | Result;
  readonly finalize: ((object: never, context: never) => Promise<Result> | Result) | undefined;
}

/** Defines a controller of a kind: its context offers just what is declared here, and so do the permissions that are derived from it. */
export function defineController<
  T extends KubeObject,
  const Owns extends readonly OwnedEntry[] = readonly [],
  const Watches extends readonly WatchedEntry[] = readonly [],
  const Uses extends readonly Used[] = readonly [],
  const Self extends Verb = never,
>(resource: Resource<T>, options: ControllerOptions<T, Owns, Watches, Uses, Self>): Controller {
  const name = nameOf(resource, options);
  const { concurrency = 1, timeout = "5m", labelSelector, fieldSelector, namespaces } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new TypeError(`controller ${name} of ${formatKind(resource)}: concurrency must be a whole number from 1 up, not ${concurrency}`);
  }
  const timeoutMs = durationMs(timeout);
  if (timeoutMs === 0)
    throw new TypeError(
      `controller ${name} of ${formatKind(resource)}: in a timeout of ${timeout} nothing can be done; leave it out for 5 min`,
    );
  return Object.freeze({
    name,
    resource,
    ...declaredAccess(options),
    writesStatus: options.writesStatus ?? true,
    sources: options.sources ?? [],
    indexes: options.indexes ?? [],
    predicates: options.predicates ?? [],
    selection: { labelSelector, fieldSelector, namespaces },
    concurrency,
    timeoutMs,
    backoff: options.backoff ?? {},
    paceMs: durationMs(options.pace ?? 0),
    needsLeader: options.needsLeader ?? true,
    fieldManager: options.fieldManager ?? name,
    takesOver: options.takesOver ?? [],
    finalizer: options.finalize === undefined ? undefined : checkedFinalizer(options.finalizer ?? ownName(resource, name), resource, name),
    finalizes: options.finalizes?.bind(options),
    reconcile: options.reconcile.bind(options),
    finalize: options.finalize?.bind(options),
  });
}

/** A controller of a kind of others is not the only one of it, and what it leaves in its objects and their children bears its name: that has to be its own. */
function nameOf(
  resource: Resource,
  {
    name,
    owns = [],
    selfVerbs = [],
    finalize,
  }: Pick<
    ControllerOptions<never, readonly OwnedEntry[], readonly WatchedEntry[], readonly Used[], Verb>,
    "name" | "owns" | "selfVerbs" | "finalize"
  >,
): string {
  const usual = resource.kind.toLowerCase();
  if (name !== undefined) return name;
  const leavesMarks = finalize !== undefined || selfVerbs.includes("patch") || owns.some((entry) => ownedOf(entry).applied);
  if (isDefinition(resource) || !leavesMarks) return usual;
  throw new TypeError(
    `controller ${usual} of ${formatKind(resource)}: the kind is not yours, so give it a name of your own, such as name: "acme-${usual}": by its name a controller knows its finalizer, effects, fields and children, and one of another operator, which has the name ${usual} by default, would take them for its own`,
  );
}

function checkedFinalizer(finalizer: string, resource: Resource, name: string): string {
  const [problem] = qualifiedNameErrors(finalizer);
  if (problem === undefined) return finalizer;
  throw new TypeError(
    `controller ${name} of ${formatKind(resource)}: no object can have the finalizer ${finalizer}: ${problem}; give it another name, or a finalizer of another`,
  );
}

type AccessFields = "owns" | "watches" | "uses" | "selfVerbs" | "permissions";

/** What the controller may touch, each kind in the form that says all of it. */
function declaredAccess({
  owns = [],
  watches = [],
  uses = [],
  selfVerbs = [],
  permissions = [],
}: Pick<ControllerOptions<never, readonly OwnedEntry[], readonly WatchedEntry[], readonly Used[], Verb>, AccessFields>): Pick<
  Controller,
  AccessFields
> {
  return {
    owns: owns.map(ownedOf),
    watches: watches.map((entry) => ("type" in entry && entry.type === "Watched" ? entry : watch(entry))),
    uses,
    selfVerbs,
    permissions,
  };
}

function ownedOf(entry: OwnedEntry): Owned {
  return "type" in entry && entry.type === "Owned" ? entry : owned(entry);
}
