import { conflict, formatKind, isReason, jsonOf, objectKey, setControllerReference } from "@kaji/core";
import type { ApiError, JsonObject, KubeObject, NamespacedName, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { byOwner } from "@kaji/informer";
import type { Informers } from "@kaji/informer";
import type { ApplyConfiguration } from "@kaji/client";
import { appliedKinds } from "../declare/applied-kinds.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { Owned } from "../declare/declarations.ts";
import { kindId, storedId } from "../declare/kind-id.ts";
import { openDeclaration } from "../declare/open-declaration.ts";
import type { OpenDeclaration } from "../declare/open-declaration.ts";
import { ownName } from "../declare/own-name.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import type { MetKinds } from "../controller/met-kinds.ts";
import type { MirrorReads } from "../controller/joined-reads.ts";
import type { Mirrors } from "../controller/mirrors.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { OwnAnnotations } from "../reconcile/own-annotations.ts";
import type { ChildOptions, NamedDraft } from "../declare/reconcile-context.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import { ChildKinds } from "./child-kinds.ts";
import type { KindName } from "./child-kinds.ts";
import type { AppliedObjects } from "./applied-objects.ts";
import { ChildOwnership } from "./child-ownership.ts";
import type { ChildScope } from "./child-scope.ts";
import { needsFinalize } from "./objects-elsewhere.ts";
import { OwnerDeletionError, awaitsChildren, orphansChildren } from "./owner-deletion-error.ts";
import { isElsewhere } from "./owner-mark.ts";
import { letGo, together, unstated } from "./initial-fields.ts";
import { withoutAbsent } from "./without-absent.ts";
import { isShared, stayingField } from "./staying-field.ts";
import { takenOver } from "./taken-over.ts";

/** A resourceVersion that no object has: apply with it creates the object, and is a Conflict if there is one already. */
const noVersion = "1";

/** What children are kept in memory with. */
export interface ChildrenParts {
  readonly informers: Informers;
  readonly met: () => MetKinds;
  readonly applied: AppliedObjects;
  readonly recorder: EventRecorder;
  /** Has an owner reconciled once more. */
  readonly askAgain: (owner: ObjectKey) => void;
}

/**
 * Makes children as their owner wants them, and removes those that it wants no longer.
 *
 * Whether there is anything to do is decided from the cache: by the server's record of the fields that this controller applied, and by their values. So nothing needs to
 * be remembered over a restart.
 */
export class Children {
  /** Whose an object is that has the name of a child. */
  readonly ownership: ChildOwnership;
  readonly #controller: Controller;
  readonly #mirrors: Mirrors;
  readonly #parts: ChildrenParts;
  /** Those that are made once, and not applied. */
  readonly #createdKinds: ReadonlySet<string>;
  readonly #appliedKinds: ReadonlySet<string>;
  /** What is declared of children whose kind is known only at run time. */
  readonly #open: OpenDeclaration<Owned>;

  constructor(controller: Controller, mirrors: Mirrors, parts: ChildrenParts) {
    this.#controller = controller;
    this.#mirrors = mirrors;
    this.#parts = parts;
    this.#createdKinds = new Set(controller.owns.filter(({ applied }) => applied === false).map(({ resource }) => kindId(resource)));
    this.#appliedKinds = new Set(appliedKinds(controller).map(kindId));
    this.#open = openDeclaration(controller.owns);
    this.ownership = new ChildOwnership(controller, { ...parts, mirrors });
  }

  /** Where the kinds of an object's children are recorded, where nothing else says which they are. */
  kindsOf(annotations: () => OwnAnnotations): ChildKinds | undefined {
    const { resource, name } = this.#controller;
    if (this.ownership.elsewhere === undefined && this.#open.declared?.applied !== true) return undefined;
    return new ChildKinds(annotations(), ownName(resource, `${name}-children`));
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
    if (this.#createdKinds.has(kindId(resource)) || (isOpen && this.#open.declared?.applied === false)) {
      throw new TypeError(
        `controller ${this.#controller.name} declares ${formatKind(resource)} with applied: false, so that it cannot apply one; create makes one`,
      );
    }
    if (!isOpen && !this.#appliedKinds.has(kindId(resource))) throw new UndeclaredError(this.#controller, "apply", resource);
    const child = this.#stated(resource, wanted, owner);
    const { metadata } = child;
    if (orphansChildren(owner)) throw new OwnerDeletionError(resource, metadata, owner);
    const initial = initially === undefined ? undefined : unstated(jsonOf(withoutAbsent(initially)), jsonOf(child));
    scope.wanted.add(storedId(resource, objectKey(metadata)));
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
      if (!this.ownership.isOf(known, owner)) await this.ownership.refuseUnlessLeft(scope, resource, known);
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
      if (!this.ownership.isOf(found, owner)) await this.ownership.refuseUnlessLeft(scope, resource, found);
      this.#requireSeenToGo(resource, found);
      return found as DeepReadonly<C>;
    }
  }

  /** What would be applied of an object that is there: with the owner in it, if it is the owner's. Such a one is wanted, and stays, though it is not applied. */
  wanted<C extends KubeObject>(
    { owner, wanted, kinds }: ChildScope,
    resource: Resource<C>,
    stated: ApplyConfiguration<C>,
    known: KubeObject,
  ): ApplyConfiguration<C> {
    if (!this.ownership.isOf(known, owner)) return withoutAbsent(stated);
    wanted.add(storedId(resource, objectKey(known.metadata)));
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
    for (const name of kinds.unwanted) if ((await this.ownership.elsewhere?.clear(scope, name, scope.wanted)) ?? true) gone.push(name);
    await kinds.remove(gone);
  }

  /** Where children of the owner may be among those that are mirrored of a kind. Nothing is elsewhere of which no kind is recorded. */
  keysOf<T extends KubeObject>({ owner, kinds }: ChildScope, lister: MirrorReads<T>): IteratorObject<ObjectKey, undefined> {
    const children = lister.keysBy(byOwner, owner.metadata.uid ?? "");
    if (this.ownership.elsewhere === undefined || kinds === undefined || kinds.recorded.length === 0) return children.values();
    return new Set([...children, ...this.ownership.elsewhere.keysOf(owner, lister)]).values();
  }

  async #pruneKind(scope: ChildScope, resource: Resource): Promise<void> {
    const { owner, client, wanted } = scope;
    const lister = this.#mirrors.lister(resource);
    for (const key of this.keysOf(scope, lister)) {
      const child = wanted.has(storedId(resource, key)) ? undefined : lister.get(key);
      if (child === undefined || !this.ownership.isOf(child, owner) || this.#parts.applied.fieldsOf(child) === undefined) continue;
      if (child.metadata.deletionTimestamp === undefined) await client.delete(resource, child, { propagationPolicy: "Background" });
    }
  }

  /** What is applied: with its owner in it. */
  #stated<C extends KubeObject>(resource: Resource<C>, wanted: ApplyConfiguration<C>, owner: KubeObject): ApplyConfiguration<C> {
    const metadata = placed(wanted.metadata, resource, owner);
    const child = { ...wanted, metadata };
    if (!isElsewhere(metadata, owner)) return withoutAbsent(setControllerReference(owner, child));
    if (this.ownership.elsewhere?.deletesThoseOf(owner) !== true) throw needsFinalize(owner, resource, metadata);
    return withoutAbsent(this.ownership.elsewhere.mark.on(owner, child));
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
    const { ownership } = this;
    if (ownership.isOf(known, scope.owner) || !(await ownership.isLeft(scope, resource, known)))
      return this.#change(scope, resource, wanted, known);
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
    if (!this.ownership.isOf(known, owner)) await this.ownership.refuseUnlessAdoptable(scope, resource, known);
    const { uid, resourceVersion = "", managedFields = [] } = known.metadata;
    const inherited = takenOver(known, this.#controller);
    const kept = initial === undefined ? undefined : letGo(inherited ?? managedFields, this.#controller.fieldManager, initial);
    const record = kept ?? inherited;
    // A terminating child is not updated: its deletion will enqueue the owner, which then creates it again.
    this.#requireSeenToGo(resource, known);
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

  /** Nobody would be told that a terminating child is gone which no mirror shows, as one that has lost the labels by which it is mirrored: it is looked at again until it is. */
  #requireSeenToGo(resource: Resource, { metadata }: KubeObject): void {
    if (metadata.deletionTimestamp === undefined || this.#mirrors.lister(resource, "apply").get(metadata) !== undefined) return;
    throw conflict(resource, metadata.name, "it is being deleted, and is not among the objects that are watched");
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
