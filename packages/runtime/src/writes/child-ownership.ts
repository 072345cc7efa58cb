import { controllerOf, formatKind, objectKey } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { Mirrors } from "../controller/mirrors.ts";
import type { Controller } from "../declare/define-controller.ts";
import { objectId } from "../declare/kind-id.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { AppliedObjects } from "./applied-objects.ts";
import { ChildConflictError } from "./child-conflict-error.ts";
import type { ChildScope } from "./child-scope.ts";
import { NameWaiters } from "./name-waiters.ts";
import { ObjectsElsewhere } from "./objects-elsewhere.ts";
import { isElsewhere } from "./owner-mark.ts";
import { hasPredecessor } from "./taken-over.ts";

/** By what it is told whose an object is. */
export interface OwnershipParts {
  readonly mirrors: Mirrors;
  readonly applied: AppliedObjects;
  readonly recorder: EventRecorder;
  /** Has an owner reconciled once more. */
  readonly askAgain: (owner: ObjectKey) => void;
}

/** Whose an object is that has the name of a child: the owner's, nobody's, or somebody else's. */
export class ChildOwnership {
  readonly #controller: Controller;
  readonly #parts: OwnershipParts;
  readonly #waiters = new NameWaiters();
  /** The children that can have no owner reference; undefined where nobody would delete them. */
  readonly elsewhere: ObjectsElsewhere | undefined;

  constructor(controller: Controller, parts: OwnershipParts) {
    this.#controller = controller;
    this.#parts = parts;
    this.elsewhere = ObjectsElsewhere.of(controller);
  }

  /** Whether an object is the owner's. */
  isOf(object: KubeObject, owner: KubeObject): boolean {
    return controllerOf(object)?.uid === owner.metadata.uid || this.elsewhere?.mark.isOf(object, owner) === true;
  }

  /** Refuses an object that is not the owner's, unless it was left to itself. */
  async refuseUnlessLeft(scope: ChildScope, resource: Resource, known: KubeObject): Promise<void> {
    if (!(await this.isLeft(scope, resource, known))) this.#refuse(known, resource, scope.owner);
  }

  /** Refuses an object that is not the owner's, unless it may become so. */
  async refuseUnlessAdoptable(scope: ChildScope, resource: Resource, known: KubeObject): Promise<void> {
    if (!(await this.#isAdoptable(scope, known))) this.#refuse(known, resource, scope.owner);
  }

  /** Whether a child was left to itself by an owner that goes (`--cascade=orphan`): one that got it back would take it along. */
  async isLeft({ owner, attempt, live }: ChildScope, resource: Resource, known: KubeObject): Promise<boolean> {
    const { metadata } = known;
    if (owner.metadata.deletionTimestamp === undefined || controllerOf(known) !== undefined || isElsewhere(metadata, owner)) return false;
    // Of what is created and never applied no record is kept in memory.
    const { managedFields = [] } = metadata.managedFields === undefined ? ((await live.get(resource, metadata))?.metadata ?? {}) : metadata;
    const isLeft = managedFields.some(({ manager, subresource = "" }) => manager === this.#controller.fieldManager && subresource === "");
    if (isLeft) this.#tellLeft({ owner, attempt }, `${formatKind(resource)} ${objectKey(metadata)}`);
    return isLeft;
  }

  /** The owners that wait for the name of this object; they are to be reconciled at any change of it. */
  takeWaiting(resource: Resource, key: ObjectKey): readonly ObjectKey[] {
    return this.#waiters.isEmpty ? [] : this.#waiters.take(objectId(resource, key));
  }

  /** The owner is gone, or is reconciled elsewhere. */
  forget(owner: ObjectKey): void {
    this.#waiters.forget(owner);
  }

  /** Says so where a user looks who wonders why the owner does not go: nothing fails. */
  #tellLeft({ owner, attempt }: Pick<ChildScope, "owner" | "attempt">, child: string): void {
    const message = `${child} is left as it is, since it has been orphaned; a finalizer that waits for it to change waits in vain`;
    attempt.log.info({ child }, message);
    this.#parts.recorder.event(owner, { type: "Normal", reason: "ChildOrphaned", action: "Finalize", message });
  }

  /** A name is taken by an object that is not the owner's, which then is reconciled when that object changes. */
  #refuse(known: KubeObject, resource: Resource, owner: KubeObject): never {
    const key = objectKey(owner.metadata);
    const isNew = this.#waiters.add(objectId(resource, objectKey(known.metadata)), key);
    // What has happened to it since it was looked at was told when nobody waited.
    if (isNew && !this.#isPresent(known, resource)) this.#parts.askAgain(key);
    throw new ChildConflictError(resource, known, owner, this.elsewhere?.mark.of(known));
  }

  /** Whether readers of the cache see an object in this state. */
  #isPresent({ metadata }: KubeObject, resource: Resource): boolean {
    const present = this.#parts.mirrors.lister(resource, "apply").get(metadata);
    return present?.metadata.resourceVersion === metadata.resourceVersion;
  }

  /** Whether a child that nobody has was made by a program whose place this controller takes; or by itself, and its mark was changed or taken away. */
  async #isAdoptable(scope: ChildScope, known: KubeObject): Promise<boolean> {
    if (controllerOf(known) !== undefined) return false;
    const { elsewhere } = this;
    if (elsewhere === undefined || !isElsewhere(known.metadata, scope.owner)) return hasPredecessor(known, this.#controller);
    const { applied, mirrors } = this.#parts;
    const isMade = elsewhere.mark.of(known) !== undefined || applied.fieldsOf(known) !== undefined;
    return (isMade || hasPredecessor(known, this.#controller)) && !(await elsewhere.hasOwner(scope, known, mirrors.own));
  }
}
