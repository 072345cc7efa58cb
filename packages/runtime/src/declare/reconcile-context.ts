import type {
  ApplyConfiguration,
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ExecOptions,
  ExecResult,
  MergePatch,
  ObjectAddress,
  PodLogOptions,
  ScaleOptions,
  Selection,
  UpdateOptions,
  WriteOptions,
} from "@kaji/client";
import type {
  Clock,
  ConditionDraft,
  Draft,
  DurationLike,
  DynamicObject,
  JsonValue,
  KubeList,
  KubeObject,
  ObjectKey,
  ObjectMeta,
  Random,
  Resource,
  Status,
} from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Index, ListerQuery, View } from "@kaji/informer";
import type { TokenRequest, TokenRequestSpec } from "@kaji/types/authentication/v1";
import type { Scale } from "@kaji/types/autoscaling/v1";
import type { Pod } from "@kaji/types/core/v1";
import type { DeclaredAccess, NotDeclared, Remedies } from "./access.ts";
import type { Effect, EffectName, Undo } from "./effect.ts";
import type { RecordedEvent } from "../events/event-recorder.ts";
import type { Log } from "../log/log.ts";

/** What else is said of a child that is applied. */
export interface ChildOptions<C extends KubeObject> {
  /**
   * Fields that the child begins with, and that are left to others from then on, such as the replicas that an autoscaler sets: they stay as they are, whoever changes them. Those that are
   * stated as well are wanted as stated; once they are stated no longer, they stay as they were.
   */
  readonly initially?: Omit<ApplyConfiguration<C>, "apiVersion" | "kind" | "metadata"> | undefined;
}

/** What a reconcile of a `T` works with: of each verb just the kinds for which it is declared, so that using another does not compile. */
export interface ReconcileContext<T extends KubeObject, A extends DeclaredAccess> {
  readonly key: ObjectKey;
  /** Names this reconcile in logs and traces. */
  readonly reconcileId: string;
  /** Aborted when the deadline has passed, the lease is lost or the program ends. Nothing is written after that. */
  readonly signal: AbortSignal;
  /** A signal for one call: aborted with `signal`, and when this time is over, by `clock`, where `AbortSignal.timeout` would go by that of the machine. */
  readonly deadline: (after: DurationLike) => AbortSignal;
  readonly clock: Clock;
  /** For what is made up, such as a password: `Buffer.from(random.bytes(24)).toString("base64url")`. */
  readonly random: Random;
  readonly log: Log;
  readonly cache: CacheReads<A["watch"]>;
  /** Whether the server has a kind: false of an optional one that is not installed. */
  readonly isServed: <C extends A["watch"]>(of: Resource<C> | View<C>) => boolean;
  readonly live: LiveReads<A["get"], A["list"]> & ScaleReads<A["get/scale"]> & LogReads<A>;
  readonly client: Writes<A>;
  /**
   * Writes as another user, such as `system:serviceaccount:shop:deployer`: whatever that user may, of any kind, and none of it is in the role of the operator. Needs
   * `permissions: [{ apiGroup: "", resource: "serviceaccounts", verbs: ["impersonate"] }]`, or `users`.
   */
  readonly clientAs: (username: string) => Writes<DeclaredAccess>;
  /**
   * Whether a child is as `apply` would make it, or an object that is none as `client.apply` would: the controller has applied just these fields, and they have these values. From memory, so that nothing is sent where
   * nothing is to do, and a change by others can be told before, or instead of, changing it back: a child that was asked about is wanted, and not deleted. Of what is not owned, needs `watch(Kind, { applied: true })`,
   * or `create` and `patch` among the verbs.
   */
  readonly isApplied: <C extends A["watch"]>(resource: Resource<C>, wanted: ApplyConfiguration<C>) => boolean;
  /**
   * Makes a child be as stated, by server-side apply, with the object as its controller. No request is sent when what we own already matches. Throws a `ChildConflictError` if an object of
   * that name is not the object's. Children that were applied before and are not applied by this reconcile are deleted after it, unless it fails, or returns
   * `requeue()` or `requeueAfter()`: then it has not finished. One in another namespace, or in none, has a label instead of an owner reference, and is deleted after `finalize`, which the controller
   * must have.
   */
  readonly apply: <C extends A["apply"]>(
    resource: Resource<C>,
    wanted: ApplyConfiguration<C>,
    options?: ChildOptions<C>,
  ) => Promise<DeepReadonly<C>>;
  /**
   * Makes a child once, with the object as its controller, and returns it. One of that name that the object has already stays as it is, so that a name which follows from the occasion, such as
   * the time of a schedule, makes it happen once, whatever is lost in between. Nothing but the controller deletes it while the object is there.
   */
  readonly create: <C extends A["apply"]>(resource: Resource<C>, wanted: NamedDraft<C>) => Promise<DeepReadonly<C>>;
  /**
   * Makes the status have these fields, and writes only if that changes something. A field that is undefined is removed. Conditions are merged by their type, and
   * keep their transition times.
   */
  readonly setStatus: (status: StatusOf<T>) => Promise<void>;
  /** Does the same for the status of another object, of a kind with `patch/status` among its verbs: for a controller that does the work for many objects at once, and tells each how it is. */
  readonly setStatusOf: <C extends Exclude<A["patch/status"], NotDeclared<Remedies["patch/status"]>>>(
    resource: Resource<C>,
    object: DeepReadonly<C>,
    status: StatusOf<C>,
  ) => Promise<void>;
  /**
   * Makes something outside the cluster, under a name that is its own among the effects of the object. The intent is recorded in an annotation before the call, so that a crash in between leaks nothing. Needs
   * a `finalize` that undoes it, or `patch` among the `selfVerbs`.
   */
  readonly effect: <R extends JsonValue>(name: string | EffectName<R>, effect: Effect<R>) => Promise<R>;
  /** Undoes an effect. The type of its result is known by an `effectName`. When this resolves, all is undone: a callback that is not finished ends the reconcile there. */
  readonly undo: <R extends JsonValue = JsonValue>(name: string | EffectName<R>, remove: Undo<NoInfer<R>>) => Promise<void>;
  /** Records an Event about the object, or `about` another one. */
  readonly event: (
    type: RecordedEvent["type"],
    reason: string,
    message: string,
    more?: Pick<RecordedEvent, "action" | "related"> & { readonly about?: KubeObject },
  ) => void;
}

/** An object to be created under a name that the server does not make up. */
export type NamedDraft<T extends KubeObject> = Draft<T> & { readonly metadata: ObjectMeta };

/** Reads from memory, own writes included. What is declared as a view is read by that view. The objects are shared and must not be changed. */
export interface CacheReads<Cached extends KubeObject> {
  get<C extends Cached>(of: Resource<C> | View<C>, address: ObjectAddress): DeepReadonly<C> | undefined;
  list<C extends Cached>(of: Resource<C> | View<C>, query?: ListerQuery): IteratorObject<DeepReadonly<C>, undefined>;
  by<C extends Cached>(
    of: Resource<C> | View<C>,
    index: Index<C>,
    value: string | number | boolean,
    query?: ListerQuery,
  ): IteratorObject<DeepReadonly<C>, undefined>;
  /** The children of the object: those it controls, and those that `apply` has made elsewhere. */
  owned<C extends Cached>(of: Resource<C> | View<C>): IteratorObject<DeepReadonly<C>, undefined>;
  /**
   * The kind of an object, or of whatever names its kind as objects do, once it is mirrored, so that it may be read here: for kinds that are known only at run time, and owned or watched as `anyKind`.
   * Undefined when the server has none of that name.
   */
  resourceOf(object: Pick<KubeObject, "apiVersion" | "kind">): Promise<Resource<DynamicObject> | undefined>;
}

/** Reads from the server, request by request. */
export interface LiveReads<Get extends KubeObject, List extends KubeObject = Get> {
  /** Undefined when there is none. */
  get<C extends Get>(resource: Resource<C>, address: ObjectAddress): Promise<C | undefined>;
  list<C extends List>(resource: Resource<C>, options?: Selection): Promise<KubeList<C>>;
  /**
   * The kind of an object, or of whatever names its kind as objects do, for kinds that are known only at run time. Undefined when the server has none of that name; the kinds of a group version are
   * asked for again until it has. What is done with it is declared, by its own name or by `anyKind`.
   */
  resourceOf(object: Pick<KubeObject, "apiVersion" | "kind">): Promise<Resource<DynamicObject> | undefined>;
}

/** Reads of how many replicas there are of an object, whatever its kind calls them. */
export interface ScaleReads<Scaled extends KubeObject> {
  /** Undefined when there is no such object, or its kind has no replicas. Where none are wanted, `spec.replicas` is absent. */
  getScale<C extends Scaled>(resource: Resource<C>, address: ObjectAddress): Promise<Scale | undefined>;
}

/** Reads of what containers have written. */
export interface LogReads<A extends Pick<DeclaredAccess, "get/log">> {
  /** The lines of a container's log, as far as there are any now. Of a Pod that is gone, or a container that has not begun, it throws. */
  logs(
    pod: [A["get/log"]] extends [NotDeclared<Remedies["get/log"]>] ? A["get/log"] : ObjectAddress,
    options?: Omit<PodLogOptions, "follow">,
  ): AsyncGenerator<string>;
}

/** Writes, seen by the next read of the cache. Conflicts run the reconcile again at once, and quietly. */
export interface Writes<A extends DeclaredAccess> {
  create<C extends A["create"]>(resource: Resource<C>, object: Draft<C>, options?: WriteOptions): Promise<C>;
  update<C extends A["update"] | A["update/part"]>(resource: Resource<C>, object: C | Draft<C>, options?: UpdateOptions): Promise<C>;
  updateStatus<C extends A["update/status"]>(resource: Resource<C>, object: C, options?: WriteOptions): Promise<C>;
  mergePatch<C extends A["patch"] | A["patch/part"] | Exclude<A["patch/status"], NotDeclared<Remedies["patch/status"]>>>(
    resource: Resource<C>,
    address: ObjectAddress,
    patch: MergePatch<C>,
    options?: UpdateOptions,
  ): Promise<C>;
  apply<C extends A["patch"] | A["patch/part"]>(resource: Resource<C>, wanted: ApplyConfiguration<C>, options?: ApplyOptions): Promise<C>;
  applyStatus<C extends A["patch/status"]>(
    resource: Resource<C>,
    wanted: ApplyConfiguration<C>,
    options?: Omit<ApplyOptions, "subresource">,
  ): Promise<C>;
  /** Sets how many replicas of an object are wanted, whatever its kind calls them. A cache that mirrors the kind shows it when its event comes. */
  scale<C extends A["patch/scale"]>(
    resource: Resource<C>,
    address: ObjectAddress,
    replicas: number,
    options?: ScaleOptions,
  ): Promise<Scale>;
  /** Deletes the object that was read: its uid is a precondition. An object that is gone is no failure. */
  delete<C extends A["delete"]>(
    resource: Resource<C>,
    object: Pick<DeepReadonly<C>, keyof KubeObject>,
    options?: DeleteOptions,
  ): Promise<C | Status | undefined>;
  /** Deletes all objects of a selection in one namespace. */
  deleteCollection<C extends A["deletecollection"]>(
    resource: Resource<C>,
    options?: DeleteCollectionOptions,
  ): Promise<KubeList<C> | Status>;
  /** Assigns the Pod that was read to a node, as a scheduler does; one that is on a node is a Conflict. A cache that mirrors Pods shows it when its event comes. */
  bind(
    pod: [A["create/binding"]] extends [NotDeclared<Remedies["create/binding"]>]
      ? A["create/binding"]
      : Pick<DeepReadonly<Pod>, "metadata">,
    node: string,
    options?: WriteOptions,
  ): Promise<void>;
  /**
   * Deletes a Pod if its disruption budgets allow it, otherwise throws with the reason `TooManyRequests`. Of a Pod that was read, or its metadata, the uid is a precondition. A Pod that is gone is
   * no failure.
   */
  evict(
    pod: [A["create/eviction"]] extends [NotDeclared<Remedies["create/eviction"]>] ? A["create/eviction"] : ObjectAddress,
    options?: DeleteOptions,
  ): Promise<Status | undefined>;
  /** Runs a command in a container, to its end. It may be run again by a later reconcile, so that it must do no harm twice. */
  exec(
    pod: [A["create/exec"]] extends [NotDeclared<Remedies["create/exec"]>] ? A["create/exec"] : ObjectAddress,
    command: readonly string[],
    options?: ExecOptions,
  ): Promise<ExecResult>;
  /** Makes a token for a service account. Each call makes another one; `status.expirationTimestamp` says how long it is good for, which may be less than was asked. */
  createToken(
    serviceAccount: [A["create/token"]] extends [NotDeclared<Remedies["create/token"]>] ? A["create/token"] : ObjectAddress,
    spec?: TokenRequestSpec,
    options?: WriteOptions,
  ): Promise<TokenRequest>;
}

/** What a status may be set to: any of its fields, the conditions without the times that the framework knows. */
export type StatusOf<T extends KubeObject> = T extends { readonly status?: infer S }
  ? { readonly [K in keyof NonNullable<S>]?: StatusField<K, NonNullable<S>[K]> | undefined }
  : NotDeclared<"add status: z.object({ … }) to the definition of the resource">;

type StatusField<K, V> = V extends readonly (infer Item)[]
  ? K extends "conditions"
    ? readonly Stated<Item>[]
    : readonly StatusField<"", Item>[]
  : V extends object
    ? { readonly [F in keyof V]: StatusField<F, V[F]> }
    : V;

/** A condition as a controller states it. */
type Stated<C> = C extends ConditionDraft ? ConditionDraft : Omit<C, TimeField> & Partial<Pick<C, TimeField & keyof C>>;

type TimeField = "lastTransitionTime";
