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
import type { Change, Predicate } from "../declare/predicate.ts";
import { Writer } from "../reconcile/reconcile-attempt.ts";
import type { AddedWatch, MirroredKind } from "./running-controller.ts";

/** What was there before counts less than what happens now; see `WorkQueue`. */
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
  /** Whether objects of the kind may be in the way of children. */
  readonly isOwned?: boolean;
}

/** Who runs the controller, to whom the keys go. */
export interface IntakeTarget {
  readonly run: object;
  readonly enqueue: (key: ObjectKey, priority: number) => void;
  /** The owners that an object is in the way of. */
  readonly takeWaiting: (resource: Resource, key: ObjectKey) => Iterable<ObjectKey>;
}

/** Turns what happens to the kinds of a controller into keys, as far as it is not the doing of the reconcile of that very key. */
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

  /** Begins with all that the controller declares; resolves when all that is there has been told. */
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
    const writtenFor = delta.writer instanceof Writer && delta.writer.run === this.#target.run ? delta.writer.key : undefined;
    if (route.isOwned === true) for (const key of this.#target.takeWaiting(route.resource, delta.key)) this.#target.enqueue(key, 0);
    const enqueue = (key: ObjectKey): void => {
      if (key !== writtenFor) this.#target.enqueue(key, isOld ? lowPriority : 0);
    };
    // As it nearly always is: then nothing need be parsed.
    if (route.toKeys === forObject && route.predicates.length === 0) return enqueue(delta.key);
    const change = changeOf<KubeObject>(delta);
    if (this.#counts(route, delta.key, change)) for (const key of this.#keysOf(route, delta.key, change)) enqueue(key);
  }

  /** Whether all predicates hold. One that throws does not keep a change from being looked at. */
  #counts(route: Route, key: ObjectKey, change: Change<KubeObject>): boolean {
    try {
      // The declaration has checked that the predicates are of objects of this kind.
      return route.predicates.every((predicate) => predicate(change as Change<never>));
    } catch (error) {
      this.#report(route, key, error, "a predicate failed; the change counts");
      return true;
    }
  }

  /** The keys that a change leads to, each once, from the state before and from the state after: whoever lost an object must know as well. */
  #keysOf(route: Route, key: ObjectKey, { object, previous }: Change<KubeObject>): ReadonlySet<ObjectKey> {
    const keys = new Set<ObjectKey>();
    for (const state of new Set([previous, object])) {
      try {
        if (state !== undefined) for (const found of route.toKeys(state)) keys.add(objectKey(parseObjectKey(found)));
      } catch (error) {
        this.#report(route, key, error, "a mapping failed; what it leads to is not known");
      }
    }
    return keys;
  }

  #report({ resource }: Route, object: ObjectKey, error: unknown, message: string): void {
    this.#environment.log.error({ err: error, controller: this.#controller.name, kind: formatKind(resource), object }, message);
  }
}
