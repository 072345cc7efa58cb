import { conflict, controllerOf, formatKind, isReason, jsonOf, objectKey, setControllerReference } from "@kaji/core";
import type { ApiError, JsonObject, KubeObject, NamespacedName, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { byOwner } from "@kaji/informer";
import type { Informers } from "@kaji/informer";
import type { ApplyConfiguration } from "@kaji/client";
import { appliedKinds } from "../declare/applied-kinds.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { Owned } from "../declare/declarations.ts";
import { kindId, objectId, storedId } from "../declare/kind-id.ts";
import { openDeclaration } from "../declare/open-declaration.ts";
import type { OpenDeclaration } from "../declare/open-declaration.ts";
import { ownName } from "../declare/own-name.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import type { MetKinds } from "../controller/met-kinds.ts";
import type { MirrorReads } from "../controller/joined-reads.ts";
import type { Mirrors } from "../controller/mirrors.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { OwnAnnotations } from "../reconcile/own-annotations.ts";
import type { ChildOptions, NamedDraft } from "../reconcile/reconcile-context.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import { ChildKinds } from "./child-kinds.ts";
import type { KindName } from "./child-kinds.ts";
import type { AppliedObjects } from "./applied-objects.ts";
import { ChildConflictError } from "./child-conflict-error.ts";
import type { ChildScope } from "./child-scope.ts";
import { NameWaiters } from "./name-waiters.ts";
import { ObjectsElsewhere, needsFinalize } from "./objects-elsewhere.ts";
import { OwnerDeletionError, awaitsChildren, orphansChildren } from "./owner-deletion-error.ts";
import { isElsewhere } from "./owner-mark.ts";
import { letGo, together, unstated } from "./initial-fields.ts";
import { withoutAbsent } from "./without-absent.ts";
import { isShared, stayingField } from "./staying-field.ts";
import { hasPredecessor, takenOver } from "./taken-over.ts";

/** A resourceVersion that no object has: apply with it creates the object, and is a Conflict if there is one already. */
const noVersion = "1";

/** What children are kept in memory with. */
export interface ChildrenParts {
  readonly informers: Informers;
  readonly met: () => MetKinds;
  readonly applied: AppliedObjects;
  readonly recorder: EventRecorder;
}

/**
 * Makes children as their owner wants them, and removes those that it wants no longer.
 *
 * Whether there is anything to do is decided from the cache: by the server's record of the fields that this controller applied, and by their values. So nothing needs to
 * be remembered over a restart.
 */
export class Children {
  readonly #controller: Controller;
  readonly #mirrors: Mirrors;
  readonly #parts: ChildrenParts;
  readonly #unapplied: ReadonlySet<string>;
  readonly #applied: ReadonlySet<string>;
  /** What is declared of children whose kind is known only at run time. */
  readonly #open: OpenDeclaration<Owned>;
  readonly #waiters = new NameWaiters();
  /** Those that can have no owner reference; undefined where nobody would delete them. */
  readonly elsewhere: ObjectsElsewhere | undefined;

  constructor(controller: Controller, mirrors: Mirrors, parts: ChildrenParts) {
    this.#controller = controller;
    this.#mirrors = mirrors;
    this.#parts = parts;
    this.#unapplied = new Set(controller.owns.filter(({ applied }) => applied === false).map(({ resource }) => kindId(resource)));
    this.#applied = new Set(appliedKinds(controller).map(kindId));
    this.#open = openDeclaration(controller.owns);
    this.elsewhere = ObjectsElsewhere.of(controller);
  }

  /** Where the kinds of an object's children are recorded, where nothing else says which they are. */
  kindsOf(annotations: () => OwnAnnotations): ChildKinds | undefined {
    const { resource, name } = this.#controller;
    if (this.elsewhere === undefined && this.#open.declared?.applied !== true) return undefined;
    return new ChildKinds(annotations(), ownName(resource, `${name}-children`));
  }

  /** Whether an object is the owner's. */
  isOf(object: KubeObject, owner: KubeObject): boolean {
    return controllerOf(object)?.uid === owner.metadata.uid || this.elsewhere?.mark.isOf(object, owner) === true;
  }

  async apply<C extends KubeObject>(
    scope: ChildScope,
    resource: Resource<C>,
    wanted: ApplyConfiguration<C>,
    { initially }: ChildOptions<C> = {},
  ): Promise<DeepReadonly<C>> {
    const { owner } = scope;
    const isOpen = this.#open.isOpenTo(resource);
    if (isOpen) await this.#meet(scope, resource);
    if (this.#unapplied.has(kindId(resource)) || (isOpen && this.#open.declared?.applied === false)) {
      throw new TypeError(
        `controller ${this.#controller.name} declares ${formatKind(resource)} with applied: false, so that it cannot apply one; create makes one`,
      );
    }
    if (!isOpen && !this.#applied.has(kindId(resource))) throw new UndeclaredError(this.#controller, "apply", resource);
    const child = this.#stated(resource, wanted, owner);
    const { metadata } = child;
    if (orphansChildren(owner)) throw new OwnerDeletionError(resource, metadata, owner);
    const initial = initially === undefined ? undefined : unstated(jsonOf(withoutAbsent(initially)), jsonOf(child));
    scope.applied.add(storedId(resource, objectKey(metadata)));
    if (isOpen || isElsewhere(metadata, owner)) await scope.kinds?.add(resource);
    const known = this.#mirrors.lister(resource, "apply").get(metadata);
    if (known !== undefined) return this.#update(scope, resource, { child, initial }, known);
    if (awaitsChildren(owner)) throw new OwnerDeletionError(resource, metadata, owner);
    try {
      if (initial === undefined) return await this.#write(scope, resource, child, { resourceVersion: noVersion });
      const made = await this.#write(scope, resource, together(child, initial), { resourceVersion: noVersion });
      return await this.#update(scope, resource, { child, initial }, made);
    } catch (error) {
      if (!isReason(error, "Conflict")) throw error;
      const found = await scope.live.get(resource, metadata);
      if (found === undefined) throw error;
      this.#parts.informers.observeWrite(found);
      return this.#update(scope, resource, { child, initial }, found as DeepReadonly<C>);
    }
  }

  /** Makes a child that is made once: under a name that one of the owner's has already, nothing is written. */
  async create<C extends KubeObject>(scope: ChildScope, resource: Resource<C>, wanted: NamedDraft<C>): Promise<DeepReadonly<C>> {
    const { owner, client, live, notes } = scope;
    if (this.#open.isOpenTo(resource)) await this.#meet(scope, resource);
    const metadata = placed(wanted.metadata, resource, owner);
    if (orphansChildren(owner)) throw new OwnerDeletionError(resource, metadata, owner);
    const child = setControllerReference(owner, { ...wanted, metadata });
    const known = this.#mirrors.lister(resource, "apply").get(metadata);
    if (known !== undefined) {
      if (!this.isOf(known, owner) && !(await this.#isLeft(scope, resource, known))) this.#refuse(known, resource, owner);
      notes?.write("create", resource, known.metadata)("Unchanged");
      return known;
    }
    if (awaitsChildren(owner)) throw new OwnerDeletionError(resource, metadata, owner);
    try {
      return (await client.create(resource, child)) as DeepReadonly<C>;
    } catch (error) {
      // It was made by a reconcile whose answer was lost, or that the cache has not heard of yet.
      const found = isReason(error, "AlreadyExists") ? await live.get(resource, metadata) : undefined;
      if (found === undefined) throw error;
      this.#parts.informers.observeWrite(found);
      if (!this.isOf(found, owner) && !(await this.#isLeft(scope, resource, found))) this.#refuse(found, resource, owner);
      return found as DeepReadonly<C>;
    }
  }

  /** The owners that wait for the name of this object; they are to be reconciled at any change of it. */
  takeWaiting(resource: Resource, key: ObjectKey): readonly ObjectKey[] {
    return this.#waiters.isEmpty ? [] : this.#waiters.take(objectId(resource, key));
  }

  /** The owner is gone, or is reconciled elsewhere. */
  forget(owner: ObjectKey): void {
    this.#waiters.forget(owner);
  }

  /** What would be applied of an object that is there: with the owner in it, if it is the owner's. Such a one is wanted, and stays, though it is not applied. */
  wanted<C extends KubeObject>(
    { owner, applied, kinds }: ChildScope,
    resource: Resource<C>,
    stated: ApplyConfiguration<C>,
    known: KubeObject,
  ): ApplyConfiguration<C> {
    if (!this.isOf(known, owner)) return withoutAbsent(stated);
    applied.add(storedId(resource, objectKey(known.metadata)));
    kinds?.keep(resource);
    return this.#stated(resource, stated, owner);
  }

  /** Deletes the children that were applied before and not by this reconcile. */
  async prune(scope: ChildScope): Promise<void> {
    const isPruned = (child: Owned): boolean => (child.applied ?? true) && child !== this.#open.declared;
    for (const { resource } of this.#controller.owns.filter(isPruned)) await this.#pruneKind(scope, resource);
    if (scope.kinds === undefined) return;
    const { live, attempt, kinds } = scope;
    for (const name of this.#open.declared === undefined ? [] : kinds.recorded) {
      const resource = await live.resourceOf(name);
      // Of a kind that the server has no more, there are no children either.
      if (resource !== undefined && (await this.#parts.met().meet(resource, attempt.signal))) await this.#pruneKind(scope, resource);
    }
    const gone: KindName[] = [];
    for (const name of kinds.unwanted) if ((await this.elsewhere?.clear(scope, name, scope.applied)) ?? true) gone.push(name);
    await kinds.remove(gone);
  }

  /** Where children of the owner may be among those that are mirrored of a kind. Nothing is elsewhere of which no kind is recorded. */
  keysOf<T extends KubeObject>({ owner, kinds }: ChildScope, lister: MirrorReads<T>): IteratorObject<ObjectKey, undefined> {
    const children = lister.keysBy(byOwner, owner.metadata.uid ?? "");
    if (this.elsewhere === undefined || kinds === undefined || kinds.recorded.length === 0) return children.values();
    return new Set([...children, ...this.elsewhere.keysOf(owner, lister)]).values();
  }

  async #pruneKind(scope: ChildScope, resource: Resource): Promise<void> {
    const { owner, client, applied } = scope;
    const lister = this.#mirrors.lister(resource);
    for (const key of this.keysOf(scope, lister)) {
      const child = applied.has(storedId(resource, key)) ? undefined : lister.get(key);
      if (child === undefined || !this.isOf(child, owner) || this.#parts.applied.fieldsOf(child) === undefined) continue;
      if (child.metadata.deletionTimestamp === undefined) await client.delete(resource, child, { propagationPolicy: "Background" });
    }
  }

  /** What is applied: with its owner in it. */
  #stated<C extends KubeObject>(resource: Resource<C>, wanted: ApplyConfiguration<C>, owner: KubeObject): ApplyConfiguration<C> {
    const metadata = placed(wanted.metadata, resource, owner);
    const child = { ...wanted, metadata };
    if (!isElsewhere(metadata, owner)) return withoutAbsent(setControllerReference(owner, child));
    if (this.elsewhere?.deletesThoseOf(owner) !== true) throw needsFinalize(owner, resource, metadata);
    return withoutAbsent(this.elsewhere.mark.on(owner, child));
  }

  /** Mirrors a kind from now on. */
  async #meet({ attempt }: ChildScope, resource: Resource): Promise<void> {
    if (await this.#parts.met().meet(resource, attempt.signal)) return;
    throw new Error(`${formatKind(resource)} is not served, or cannot be watched, so that no child can be of it`);
  }

  async #update<C extends KubeObject>(
    scope: ChildScope,
    resource: Resource<C>,
    wanted: WantedChild<C>,
    known: DeepReadonly<C>,
  ): Promise<DeepReadonly<C>> {
    if (this.isOf(known, scope.owner) || !(await this.#isLeft(scope, resource, known))) return this.#change(scope, resource, wanted, known);
    scope.notes?.write("apply", resource, known.metadata)("Unchanged");
    return known;
  }

  async #change<C extends KubeObject>(
    scope: ChildScope,
    resource: Resource<C>,
    { child, initial }: WantedChild<C>,
    known: DeepReadonly<C>,
  ): Promise<DeepReadonly<C>> {
    const { owner, notes } = scope;
    if (!this.isOf(known, owner) && !(await this.#isAdoptable(scope, known))) this.#refuse(known, resource, owner);
    const { uid, resourceVersion = "", managedFields = [] } = known.metadata;
    const inherited = takenOver(known, this.#controller);
    const kept = initial === undefined ? undefined : letGo(inherited ?? managedFields, this.#controller.fieldManager, initial);
    const record = kept ?? inherited;
    // A terminating child is not updated: its deletion will enqueue the owner, which then creates it again.
    if (known.metadata.deletionTimestamp !== undefined || (record === undefined && this.#parts.applied.isApplied(child, known))) {
      notes?.write("apply", resource, known.metadata)("Unchanged");
      return known;
    }
    try {
      if (record !== undefined) {
        const metadata = { resourceVersion, managedFields: record };
        await scope.writes.mergePatch<KubeObject>(scope.attempt, resource, known.metadata, { metadata });
        const patched = inherited === undefined ? this.#mirrors.lister(resource, "apply").get(known.metadata) : undefined;
        if (patched !== undefined && this.#parts.applied.isApplied(child, patched)) return patched;
      }
      const field = this.#parts.applied.differingField(child, known);
      if (field !== undefined) tellDifference(scope.attempt, resource, known.metadata, field);
      const written = await this.#write(scope, resource, child, uid === undefined ? {} : { uid }, field);
      this.#tellStaying(scope, resource, known, written);
      return written;
    } catch (error) {
      throw isOtherIncarnation(error) ? conflict(resource, known.metadata.name, error.message) : error;
    }
  }

  /** Whether a child was left to itself by an owner that goes (`--cascade=orphan`): one that got it back would take it along. */
  async #isLeft({ owner, attempt, live }: ChildScope, resource: Resource, known: KubeObject): Promise<boolean> {
    const { metadata } = known;
    if (owner.metadata.deletionTimestamp === undefined || controllerOf(known) !== undefined || isElsewhere(metadata, owner)) return false;
    // Of what is created and never applied no record is kept in memory.
    const { managedFields = [] } = metadata.managedFields === undefined ? ((await live.get(resource, metadata))?.metadata ?? {}) : metadata;
    const isLeft = managedFields.some(({ manager, subresource = "" }) => manager === this.#controller.fieldManager && subresource === "");
    if (isLeft) this.#tellLeft({ owner, attempt }, `${formatKind(resource)} ${objectKey(metadata)}`);
    return isLeft;
  }

  /** Says so where a user looks who wonders why the owner does not go: nothing fails. */
  #tellLeft({ owner, attempt }: Pick<ChildScope, "owner" | "attempt">, child: string): void {
    const message = `${child} is left as it is, since it has been orphaned; a finalizer that waits for it to change waits in vain`;
    attempt.log.info({ child }, message);
    this.#parts.recorder.event(owner, { type: "Normal", reason: "ChildOrphaned", action: "Finalize", message });
  }

  /** A name is taken by an object that is not the owner's, which then is reconciled when that object changes. */
  #refuse(known: KubeObject, resource: Resource, owner: KubeObject): never {
    this.#waiters.add(objectId(resource, objectKey(known.metadata)), objectKey(owner.metadata));
    throw new ChildConflictError(resource, known, owner, this.elsewhere?.mark.of(known));
  }

  /** Applies the child, with more of its metadata, and returns it as it was written: the one that all readers of the cache share, if it is there. */
  async #write<C extends KubeObject>(
    { attempt, writes }: ChildScope,
    resource: Resource<C>,
    child: ApplyConfiguration<C>,
    more: MoreMetadata,
    field?: string,
  ): Promise<DeepReadonly<C>> {
    const written = await writes.apply(attempt, resource, withMetadata(child, more), { force: true }, field);
    const shared = this.#mirrors.lister(resource, "apply").get(child.metadata);
    const isSame = shared !== undefined && shared.metadata.resourceVersion === written.resourceVersion;
    const object = isSame ? shared : (written.object as DeepReadonly<C>);
    this.#parts.applied.settle(child, object);
    return object;
  }

  /** What another manager has set too is not removed by the server: without a word nobody would know why it is still there. */
  #tellStaying({ attempt }: ChildScope, resource: Resource, before: KubeObject, written: KubeObject): void {
    const { fieldManager } = this.#controller;
    // The answer to most writes is never parsed, and need not be for this if nobody else has set anything.
    if (!isShared(before, fieldManager)) return;
    const staying = stayingField(this.#parts.applied.fieldsOf(before) ?? {}, written, fieldManager);
    if (staying === undefined) return;
    const { field, manager } = staying;
    const child = `${formatKind(resource)} ${objectKey(written.metadata)}`;
    const message = `${field} of ${child} is not applied any more, and stays, since ${manager} has set it too; takesOver: ["${manager}"] lets the controller remove such fields`;
    attempt.log.warn({ child, field, manager }, message);
  }

  /** Whether a child that nobody has was made by a program whose place this controller takes; or by itself, and its mark was changed or taken away. */
  async #isAdoptable(scope: ChildScope, known: KubeObject): Promise<boolean> {
    if (controllerOf(known) !== undefined) return false;
    const { elsewhere } = this;
    if (elsewhere === undefined || !isElsewhere(known.metadata, scope.owner)) return hasPredecessor(known, this.#controller);
    const isMade = elsewhere.mark.of(known) !== undefined || this.#parts.applied.fieldsOf(known) !== undefined;
    return (isMade || hasPredecessor(known, this.#controller)) && !(await elsewhere.hasOwner(scope, known, this.#mirrors.own));
  }
}

/** Says in the log of a reconcile why an object is not as it is wanted. */
export function tellDifference({ log }: ReconcileAttempt, resource: Resource, address: NamespacedName, field: string): void {
  const kind = formatKind(resource);
  log.debug({ differs: `${kind} ${objectKey(address)}`, field }, "an object is not as it is wanted");
}

/** A child as it is stated, and what it begins with beside that. */
interface WantedChild<C extends KubeObject> {
  readonly child: ApplyConfiguration<C>;
  readonly initial: JsonObject | undefined;
}

type KubeConfiguration = ApplyConfiguration<KubeObject>;

/** Where nothing else is said, a child is in the namespace of its owner. */
export function placed<M extends { readonly namespace?: string }>(metadata: M, { scope }: Resource, owner: KubeObject): M {
  const { namespace = owner.metadata.namespace } = metadata;
  return scope === "Cluster" || namespace === undefined ? metadata : { ...metadata, namespace };
}

/** By which the server knows which object is meant, or that none is. */
interface MoreMetadata {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

function withMetadata<C extends KubeConfiguration>(config: C, more: MoreMetadata): C {
  return { ...config, metadata: { ...config.metadata, ...more } };
}

/** Whether the server refused since the object was deleted and created again under the same name: it reports the uid as invalid. */
function isOtherIncarnation(error: unknown): error is ApiError {
  return isReason(error, "Invalid") && (error.status.details?.causes ?? []).some(({ field }) => field === "metadata.uid");
}
