import { formatKind } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import { asView } from "@kaji/informer";
import type { DeliveredDelta, Delta, View } from "@kaji/informer";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import type { Owned, Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { lowPriority } from "../declare/priority.ts";
import { keyOfKind } from "./key-of-kind.ts";
import { changeOf, forObject, forOwner, metadataChangeOf } from "./key-routing.ts";
import type { Change, MetadataOnly, ToKeys } from "./key-routing.ts";
import { childIndexes } from "./mirrors.ts";
import type { HeldMirror, MirrorOptions, Mirrors } from "./mirrors.ts";
import type { ObjectChange, Predicate } from "../declare/predicate.ts";
import type { Readers } from "../reconcile/readers.ts";
import { Writer } from "../reconcile/reconcile-attempt.ts";
import { ObjectsElsewhere } from "../writes/objects-elsewhere.ts";
import type { OwnerMark } from "../writes/owner-mark.ts";
import type { AddedWatch } from "./running-controller.ts";

/** How the changes of a kind lead to keys. */
interface Route {
  readonly view: View<KubeObject>;
  readonly predicates: readonly Predicate<never>[];
  readonly toKeys: ToKeys<KubeObject>;
  /** The same, where it looks at metadata only. */
  readonly toOwners?: ToKeys<MetadataOnly>;
  /** Of the keys that live changes lead to. Default 0. */
  readonly priority?: number | undefined;
  /** Whether an object of the kind may occupy the name of a wanted child. */
  readonly isOwned?: boolean;
  /** Whether what others want of an object of the kind is a part of what the controller wants. */
  readonly isWatched?: boolean;
  /** Whether no change leads anywhere now, so that objects need not be looked at. */
  readonly isIdle?: () => boolean;
}

/** A change that counts, and what follows from it. */
interface Counted<O> {
  readonly change: Change<O>;
  readonly toKeys: (object: O) => Iterable<ObjectKey | string>;
  readonly enqueue: (key: ObjectKey) => void;
}

/** The controller run that the keys go to. */
export interface IntakeTarget {
  readonly run: object;
  readonly enqueue: (key: ObjectKey, priority: number, resource: Resource, delta: Delta<object>) => void;
  /** An object that the controller looks after is gone, whether or not that counts as a change. */
  readonly gone: (key: ObjectKey) => void;
  /** Another program has changed what it wants of an object that matters to this key. */
  readonly noteWish: (key: ObjectKey, resource: Resource, changed: ObjectKey) => void;
  /** Another client has deleted a child of this owner. */
  readonly noteLostChild: (key: ObjectKey) => void;
  /** An optional kind has been installed: whatever was done without it is to be done with it. */
  readonly installed: (resource: Resource) => void;
  /** The owners whose child could not be created because this object has its name. */
  readonly takeWaiting: (resource: Resource, key: ObjectKey) => Iterable<ObjectKey>;
}

/** A kind whose changes lead to keys, until it is disposed of. */
export interface FollowedKind extends AddedWatch {
  readonly mirror: HeldMirror;
}

/** What an intake works with. */
export interface IntakeParts {
  readonly mirrors: Mirrors;
  readonly readers: Readers;
  readonly target: IntakeTarget;
}

/** Turns changes of the watched kinds into keys, except changes that the reconcile of the same key made. */
export class KeyIntake implements Disposable {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #mirrors: Mirrors;
  readonly #readers: Readers;
  readonly #target: IntakeTarget;
  readonly #subscriptions = new Set<Disposable>();
  /** By which children that can have no owner reference belong to their owners, if there can be such. */
  readonly #mark: OwnerMark | undefined;

  constructor(controller: Controller, environment: ControllerEnvironment, { mirrors, readers, target }: IntakeParts) {
    this.#controller = controller;
    this.#environment = environment;
    this.#mirrors = mirrors;
    this.#readers = readers;
    this.#target = target;
    this.#mark = ObjectsElsewhere.of(controller)?.mark;
  }

  /** Watches all kinds that the controller declares; resolves when the keys of all existing objects are queued. */
  async start(): Promise<void> {
    const { resource, indexes, selection, predicates, owns, watches } = this.#controller;
    const own = this.#follow({ view: asView(resource), predicates, toKeys: forObject }, { indexes, ...selection, isOwn: true });
    // Which kinds `anyKind` stands for is not known yet.
    const isNamed = (declared: Owned | Watched): boolean => !isOfAnyKind(declared);
    const children = owns.filter(isNamed).map((child) => this.own(child));
    const watched = watches.filter(isNamed).map((each) => this.watch(each));
    await Promise.all([own, ...children, ...watched].map(({ synced }) => synced));
  }

  /** Follows a kind whose objects the controller makes. */
  own(child: Owned & MirrorOptions): FollowedKind {
    const ofReferences = forOwner(this.#controller.resource, { everyOwner: child.everyOwner ?? false });
    const mark = this.#mark;
    const ownKeys = (): readonly ObjectKey[] => this.#mirrors.own.keys();
    const toOwners: ToKeys<MetadataOnly> =
      mark === undefined ? ofReferences : (object) => [...ofReferences(object), ...mark.ownersOf(object, ownKeys)];
    return this.#follow(
      { view: child.view, predicates: child.predicates, toKeys: toOwners, toOwners, isOwned: true },
      { ...child, indexes: [...childIndexes, ...child.indexes] },
    );
  }

  /** Follows a kind that matters to the controller. */
  watch(watched: Watched & MirrorOptions): FollowedKind {
    const { view, predicates, toKeys, priority } = watched;
    if (toKeys === undefined) {
      const readers = this.#readers.of(view.resource);
      const toReaders: ToKeys<KubeObject> = (object) => readers.whoReads(object);
      return this.#follow({ view, predicates, priority, toKeys: toReaders, isWatched: true, isIdle: () => readers.isEmpty }, watched);
    }
    const route = { view, predicates, priority, isWatched: true, toKeys: (object: never) => toKeys(object, this.#mirrors.reads) };
    // The declaration has checked that the mapping is of objects of this kind.
    return this.#follow(route as Route, watched);
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#subscriptions.clear();
  }

  #follow(route: Route, options: MirrorOptions): FollowedKind {
    const mirror = this.#mirrors.acquire(route.view, options, this.#target.installed);
    const subscription = mirror.informer.subscribe((delta) => this.#tell(route, delta));
    this.#subscriptions.add(subscription);
    const end = (): void => {
      this.#subscriptions.delete(subscription);
      subscription[Symbol.dispose]();
      mirror[Symbol.dispose]();
    };
    const synced = Promise.all([mirror.synced, subscription.synced]).then(() => undefined);
    return { mirror, synced: Promise.race([synced, mirror.absent]), [Symbol.dispose]: end };
  }

  #tell(route: Route, delta: DeliveredDelta<KubeObject>): void {
    if (route.isIdle?.() === true) return;
    if (delta.type === "Deleted" && route.toKeys === forObject) this.#target.gone(delta.key);
    const writer = this.#writtenFor(delta.writer);
    const writtenFor = writer === undefined || isNewToWriter(route, delta) ? undefined : writer;
    const { priority = 0, predicates, toKeys, toOwners } = route;
    const { resource } = route.view;
    const enqueue = (key: ObjectKey): void => {
      if (key !== writtenFor) this.#target.enqueue(key, isOld(delta) ? Math.min(priority, lowPriority) : priority, resource, delta);
    };
    if (route.isOwned === true)
      for (const key of this.#target.takeWaiting(resource, delta.key)) this.#target.enqueue(key, 0, resource, delta);
    // The fast paths of most controllers: without predicates the object itself need not be parsed, nor more than the metadata of a child. What was written here is parsed anyway, for the one that wrote it.
    if (toKeys === forObject && predicates.length === 0) return enqueue(delta.key);
    if (toOwners !== undefined && predicates.length === 0 && writtenFor === undefined)
      return this.#pass(route, delta, { change: metadataChangeOf(delta), toKeys: toOwners, enqueue });
    const change = changeOf<KubeObject>(delta);
    if (this.#counts(route, delta.key, change)) this.#pass(route, delta, { change, toKeys, enqueue });
  }

  #pass<O extends MetadataOnly>(route: Route, delta: Delta<object>, counted: Counted<O>): void {
    const isLost = route.isOwned === true && isDeletion(counted.change);
    const isWish = route.isWatched === true && isWishOfOthers(delta, counted.change);
    for (const key of this.#keysOf(route, delta.key, counted)) {
      if (isLost && key !== this.#writtenFor(delta.writer)) this.#target.noteLostChild(key);
      if (isWish) this.#target.noteWish(key, route.view.resource, delta.key);
      counted.enqueue(key);
    }
  }

  /** The key whose reconcile of this run made the write, if one did. */
  #writtenFor(writer: unknown): ObjectKey | undefined {
    return writer instanceof Writer && writer.run === this.#target.run ? writer.key : undefined;
  }

  /** Whether all predicates hold. One that throws counts as holding, so that no change is lost. */
  #counts(route: Route, key: ObjectKey, change: ObjectChange<KubeObject>): boolean {
    try {
      // The declaration has checked that the predicates are of objects of this kind.
      return route.predicates.every((predicate) => predicate(change as ObjectChange<never>));
    } catch (error) {
      this.#report(route, key, error, "predicate threw; the change is reconciled");
      return true;
    }
  }

  /** The keys that a change maps to, each once, by the old and by the new state: an owner that loses an object is reconciled too. */
  #keysOf<O>(route: Route, key: ObjectKey, { change: { object, previous }, toKeys }: Counted<O>): ReadonlySet<ObjectKey> {
    const keys = new Set<ObjectKey>();
    for (const state of previous === object ? [object] : [previous, object]) {
      try {
        if (state !== undefined) for (const found of toKeys(state)) keys.add(keyOfKind(this.#controller.resource, found));
      } catch (error) {
        this.#report(route, key, error, "watch mapping threw; its keys are not enqueued");
      }
    }
    return keys;
  }

  #report({ view }: Route, object: ObjectKey, error: unknown, message: string): void {
    const kind = formatKind(view.resource);
    this.#environment.log.error({ err: error, controller: this.#controller.name, kind, object }, message);
  }
}

/** Whether the reconcile that made a change has not acted on it yet: it has not seen the object gone, or was given its own object as it was wanted before. */
function isNewToWriter({ toKeys }: Route, delta: DeliveredDelta<KubeObject>): boolean {
  if (delta.type === "Deleted") return true;
  return toKeys === forObject && delta.metadata.generation !== delta.previousMetadata?.generation;
}

/** Whether it is told of an object that was there before. */
function isOld(delta: Delta<object>): boolean {
  return delta.type === "Sync" || (delta.type === "Added" && delta.initial);
}

/** Whether what is wanted of an object is another now, and nothing that this program has written. Of kinds without a generation any change may be that. */
function isWishOfOthers(delta: Delta<object>, { object, previous }: Change<MetadataOnly>): boolean {
  if (delta.writer instanceof Writer || isOld(delta)) return false;
  const generation = object?.metadata.generation;
  return generation === undefined || generation !== previous?.metadata.generation;
}

/** Whether somebody asked for the deletion of an object: what comes after that, until it is gone, is the same deletion. */
function isDeletion({ object, previous }: Change<MetadataOnly>): boolean {
  const isGoing = object === undefined || object.metadata.deletionTimestamp !== undefined;
  return isGoing && previous?.metadata.deletionTimestamp === undefined;
}
