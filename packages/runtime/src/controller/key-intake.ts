import { formatKind, objectKey, parseObjectKey } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta, Informer } from "@kaji/informer";
import type { ControllerEnvironment } from "./controller-environment.ts";
import type { Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { changeOf, forObject, forOwner } from "./key-routing.ts";
import type { ToKeys } from "./key-routing.ts";
import { childIndexes } from "./mirrors.ts";
import type { MirrorOptions, Mirrors } from "./mirrors.ts";
import type { ObjectChange, Predicate } from "../declare/predicate.ts";
import { Writer } from "../reconcile/reconcile-attempt.ts";
import type { AddedWatch, MirroredKind } from "./running-controller.ts";

/** For objects of the initial list and of a resync, so that live changes go first; see `WorkQueue`. */
const lowPriority = -1;

interface Mirrored {
  readonly resource: Resource;
  readonly informer: Informer<KubeObject>;
  isSynced: boolean;
}

/** How the changes of a kind lead to keys. */
interface Route {
  readonly resource: Resource;
  readonly predicates: readonly Predicate<never>[];
  readonly toKeys: ToKeys<KubeObject>;
  /** Whether an object of the kind may occupy the name of a wanted child. */
  readonly isOwned?: boolean;
}

/** The controller run that the keys go to. */
export interface IntakeTarget {
  readonly run: object;
  readonly enqueue: (key: ObjectKey, priority: number, resource: Resource, delta: Delta<object>) => void;
  /** The owners whose child could not be created because this object has its name. */
  readonly takeWaiting: (resource: Resource, key: ObjectKey) => Iterable<ObjectKey>;
}

/** Turns changes of the watched kinds into keys, except changes that the reconcile of the same key made. */
export class KeyIntake implements Disposable {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #mirrors: Mirrors;
  readonly #target: IntakeTarget;
  readonly #mirrored = new Set<Mirrored>();
  readonly #subscriptions = new Set<Disposable>();

  constructor(controller: Controller, environment: ControllerEnvironment, mirrors: Mirrors, target: IntakeTarget) {
    this.#controller = controller;
    this.#environment = environment;
    this.#mirrors = mirrors;
    this.#target = target;
  }

  get mirrored(): readonly MirroredKind[] {
    return Array.from(this.#mirrored, ({ resource, informer, isSynced }) => ({ resource, isSynced, state: informer.state }));
  }

  /** Watches all kinds that the controller declares; resolves when the keys of all existing objects are queued. */
  async start(): Promise<void> {
    const { resource, indexes, labelSelector, predicates, owns, watches } = this.#controller;
    const own = this.#follow({ resource, predicates, toKeys: forObject }, { indexes, labelSelector });
    const children = owns.map((child) => {
      const toKeys = forOwner(resource, { everyOwner: child.everyOwner ?? false });
      return this.#follow(
        { resource: child.resource, predicates: child.predicates, toKeys, isOwned: true },
        { ...child, indexes: [...childIndexes, ...child.indexes] },
      );
    });
    await Promise.all([own, ...children, ...watches.map((watched) => this.watch(watched))].map(({ synced }) => synced));
  }

  /** Follows a kind that matters to the controller. */
  watch(watched: Watched): AddedWatch {
    const { resource, predicates, toKeys } = watched;
    // The declaration has checked that the mapping is of objects of this kind.
    const route =
      toKeys === undefined ? undefined : { resource, predicates, toKeys: (object: never) => toKeys(object, this.#mirrors.reads) };
    return route === undefined ? this.#mirror(resource, watched) : this.#follow(route as Route, watched);
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#subscriptions.clear();
  }

  #mirror(resource: Resource, options: MirrorOptions): AddedWatch & { readonly informer: Informer<KubeObject> } {
    const lease = this.#mirrors.acquire(resource, options);
    const { informer } = lease;
    const mirrored: Mirrored = { resource, informer, isSynced: false };
    this.#mirrored.add(mirrored);
    const synced = informer.synced.then(() => void (mirrored.isSynced = true));
    const end = (): void => {
      this.#mirrored.delete(mirrored);
      lease[Symbol.dispose]();
    };
    return { informer, synced, [Symbol.dispose]: end };
  }

  #follow(route: Route, options: MirrorOptions): AddedWatch {
    const mirror = this.#mirror(route.resource, options);
    const subscription = mirror.informer.subscribe((delta) => this.#tell(route, delta));
    this.#subscriptions.add(subscription);
    const end = (): void => {
      this.#subscriptions.delete(subscription);
      subscription[Symbol.dispose]();
      mirror[Symbol.dispose]();
    };
    return { synced: Promise.all([mirror.synced, subscription.synced]).then(() => undefined), [Symbol.dispose]: end };
  }

  #tell(route: Route, delta: Delta<DeepReadonly<KubeObject>>): void {
    const isOld = delta.type === "Sync" || (delta.type === "Added" && delta.initial);
    // A deletion is no own write: the reconcile that asked for it has not seen the object gone yet.
    const writtenFor = delta.type === "Deleted" ? undefined : this.#writtenFor(delta.writer);
    const enqueue = (key: ObjectKey): void => {
      if (key !== writtenFor) this.#target.enqueue(key, isOld ? lowPriority : 0, route.resource, delta);
    };
    if (route.isOwned === true)
      for (const key of this.#target.takeWaiting(route.resource, delta.key)) this.#target.enqueue(key, 0, route.resource, delta);
    // The fast path of most controllers: without mapping and predicates the object itself need not be parsed.
    if (route.toKeys === forObject && route.predicates.length === 0) return enqueue(delta.key);
    const change = changeOf<KubeObject>(delta);
    if (this.#counts(route, delta.key, change)) for (const key of this.#keysOf(route, delta.key, change)) enqueue(key);
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
  #keysOf(route: Route, key: ObjectKey, { object, previous }: ObjectChange<KubeObject>): ReadonlySet<ObjectKey> {
    const keys = new Set<ObjectKey>();
    for (const state of new Set([previous, object])) {
      try {
        if (state !== undefined) for (const found of route.toKeys(state)) keys.add(objectKey(parseObjectKey(found)));
      } catch (error) {
        this.#report(route, key, error, "watch mapping threw; its keys are not enqueued");
      }
    }
    return keys;
  }

  #report({ resource }: Route, object: ObjectKey, error: unknown, message: string): void {
    this.#environment.log.error({ err: error, controller: this.#controller.name, kind: formatKind(resource), object }, message);
  }
}
