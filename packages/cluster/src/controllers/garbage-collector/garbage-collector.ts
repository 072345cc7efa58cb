import type { DeleteOptions } from "@kaji/client";
import {
  aborted,
  hasFinalizer,
  isReason,
  objectKey,
  parseObjectKey,
  removeFinalizer,
  sleepUnlessAborted,
  structuralEqual,
  unlessGone,
} from "@kaji/core";
import type { KubeObject, ObjectKey, OwnerReference } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { metadataOf } from "@kaji/informer";
import type { Delta } from "@kaji/informer";
import { WorkQueue } from "@kaji/runtime";
import type { ControllerEnvironment } from "@kaji/runtime";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { APIService } from "@kaji/types/apiregistration/v1";
import type { BuiltinLoad } from "../builtin-load.ts";
import { byUid } from "../ownership/by-uid.ts";
import { ownersPatch } from "../pods/pod-ownership.ts";
import { MirroredKinds } from "./mirrored-kinds.ts";
import type { MirroredKind } from "./mirrored-kinds.ts";
import { blocks, foregroundFinalizer, isWaitingForDependents, orphanFinalizer, verdictOn } from "./verdict.ts";
import type { OwnerState } from "./verdict.ts";

/** How many objects are looked at at once. */
const workers = 20;
/** After how long to look again for an owner that the server knows and the mirror does not yet. */
const catchUpMs = 1000;

/** For how long to wait for all mirrors at the beginning: what converts a kind, or serves it, may be a pod that others start only after this. */
const patienceMs = 5_000;

/** An object to be looked at: its kind, and where it is. */
type Item = `${string} ${ObjectKey}`;

/**
 * Deletes the objects of any kind whose owners are gone, and sees to it that owners that wait for their dependents go in the end.
 *
 * It judges by the mirrors, and deletes nothing without having asked the server about the object and about each missing owner.
 */
export class GarbageCollector {
  readonly #environment: ControllerEnvironment;
  readonly #kinds: MirroredKinds;
  readonly #queue: WorkQueue<Item>;
  /** Objects with an owner of a kind that is not served. */
  readonly #unresolved = new Set<Item>();
  /** The owners that were reported once, by the uid of their dependent and theirs. */
  readonly #reported = new Map<string, Set<string>>();
  readonly #synced = Promise.withResolvers<void>();
  #discovering: Promise<void> | undefined;
  #isStale = false;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#kinds = new MirroredKinds(environment.informers, (kind, delta) => this.#observe(kind, delta));
    this.#queue = new WorkQueue({ clock: environment.clock });
  }

  /** Resolves when the metadata of all objects is there, or of all that came in good time. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** What is left to do, and how long until something is due. */
  get load(): BuiltinLoad {
    const { size, leased, nextDueInMs } = this.#queue;
    return { queued: size, inFlight: leased + (this.#discovering === undefined ? 0 : 1), nextDueInMs };
  }

  /** Collects until it is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    using watched = new DisposableStack();
    for (const kind of [metadataOf(CustomResourceDefinition), metadataOf(APIService)]) {
      const { informer } = watched.use(this.#environment.informers.acquire<KubeObject>(kind));
      watched.use(informer.subscribe(() => this.#discover(signal)));
    }
    this.#discover(signal);
    const working = this.#untilSynced(signal).then(() => Promise.all(Array.from({ length: workers }, () => this.#work(signal))));
    await aborted(signal);
    await this.#queue.close();
    await Promise.all([working, this.#discovering]);
    this.#kinds[Symbol.dispose]();
  }

  /** Waits for the mirrors, which save requests to the server, but not for ever: a kind that cannot be listed must not stop collection. */
  async #untilSynced(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const patience = sleepUnlessAborted(this.#environment.clock, patienceMs, AbortSignal.any([signal, waiting.signal]));
    await Promise.race([this.synced, patience]);
    waiting.abort();
    this.#synced.resolve();
  }

  /** A change of a CustomResourceDefinition or APIService may add or remove a kind. */
  #discover(signal: AbortSignal): void {
    this.#isStale = true;
    this.#discovering ??= this.#rediscover(signal).finally(() => (this.#discovering = undefined));
  }

  async #rediscover(signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#environment;
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      try {
        const served = await client.discovery.all(signal);
        if (!signal.aborted && this.#kinds.setServed(served)) this.#addAll(this.#unresolved);
        void this.#kinds.synced.then(() => this.#synced.resolve());
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, "what the server serves cannot be found out; trying again");
        this.#isStale = true;
        await sleepUnlessAborted(clock, catchUpMs, signal);
      }
    }
  }

  #observe(kind: MirroredKind, delta: Delta<DeepReadonly<KubeObject>>): void {
    const object: KubeObject = delta.object;
    const previous: KubeObject | undefined = "previous" in delta ? delta.previous : undefined;
    if (delta.type === "Deleted") {
      this.#unresolved.delete(itemOf(kind, delta.key));
      this.#reported.delete(object.metadata.uid ?? "");
      this.#addDependents(object);
      this.#addWaitingOwners(object);
      return;
    }
    if (isWaitingForDependents(object)) this.#addDependents(object);
    const isOwnedAsBefore = structuralEqual(previous?.metadata.ownerReferences, object.metadata.ownerReferences);
    const isOrdinary = object.metadata.deletionTimestamp === undefined && previous !== undefined && isOwnedAsBefore;
    if (!isOrdinary && needsWork(object)) this.#queue.add(itemOf(kind, delta.key));
    if (previous !== undefined && !isOwnedAsBefore) this.#addWaitingOwners(previous);
  }

  #addDependents({ metadata }: KubeObject): void {
    for (const { kind, key } of this.#kinds.dependentsOf(metadata.uid)) this.#queue.add(itemOf(kind, key));
  }

  /** An owner can be removed when the last dependent that blocked it is gone, or no longer blocks it. */
  #addWaitingOwners({ metadata }: KubeObject): void {
    for (const reference of metadata.ownerReferences ?? []) {
      const found = this.#mirroredOwner(reference, metadata.namespace);
      if (found !== undefined && isWaitingForDependents(found.owner)) this.#queue.add(itemOf(found.kind, objectKey(found.owner.metadata)));
    }
  }

  #addAll(items: Set<Item>): void {
    for (const item of items) this.#queue.add(item);
    items.clear();
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (;;) {
      using lease = await this.#queue.take();
      if (lease === undefined) return;
      // What is left at the end is found by the next collector, as by one that starts.
      if (signal.aborted) continue;
      try {
        await this.#process(lease.key);
        this.#queue.forget(lease.key);
      } catch (error) {
        if (!isReason(error, "Conflict", "NotFound"))
          this.#environment.log.warn({ object: lease.key, err: error }, "collecting failed; will retry");
        this.#queue.addRateLimited(lease.key);
      }
    }
  }

  async #process(item: Item): Promise<void> {
    const [name = "", key = ""] = item.split(" ");
    const kind = this.#kinds.get(name);
    const object: KubeObject | undefined = kind?.lister.get(parseObjectKey(key));
    if (kind === undefined || object === undefined) return;
    if (object.metadata.deletionTimestamp === undefined) return this.#judge(kind, object, item);
    if (hasFinalizer(object, orphanFinalizer)) return this.#orphan(kind, object, item);
    if (isWaitingForDependents(object)) return this.#letGo(kind, object, item);
  }

  async #judge(kind: MirroredKind, object: KubeObject, item: Item): Promise<void> {
    const states: OwnerState[] = [];
    for (const reference of object.metadata.ownerReferences ?? []) states.push(await this.#stateOf(reference, object, item));
    if (states.every((state) => state === "Present")) return;
    const fresh = await this.#read(kind, object);
    if (fresh === undefined || fresh.metadata.deletionTimestamp !== undefined) return;
    if (!structuralEqual(fresh.metadata.ownerReferences, object.metadata.ownerReferences)) {
      this.#queue.addRateLimited(item);
      return;
    }
    await this.#carryOut(kind, fresh, states);
  }

  async #carryOut(kind: MirroredKind, object: KubeObject, states: readonly OwnerState[]): Promise<void> {
    const { client } = this.#environment;
    const { metadata } = object;
    const verdict = verdictOn(object, states, this.#dependents(object));
    switch (verdict.type) {
      case "Keep":
        return;
      case "Disown":
        await client.mergePatch(kind.resource, metadata, ownersPatch(metadata, verdict.owners));
        return;
      case "Delete": {
        const unblocked = (metadata.ownerReferences ?? []).map(({ blockOwnerDeletion: _blocks, ...reference }) => reference);
        const { resourceVersion } = verdict.breaksCircle
          ? (await client.mergePatch(kind.resource, metadata, ownersPatch(metadata, unblocked))).metadata
          : metadata;
        const options: DeleteOptions = { propagationPolicy: verdict.policy, preconditions: { uid: metadata.uid, resourceVersion } };
        await client.delete(kind.resource, metadata, options);
        return;
      }
      default:
        verdict satisfies never;
    }
  }

  async #stateOf(reference: OwnerReference, object: KubeObject, item: Item): Promise<OwnerState> {
    const { namespace } = object.metadata;
    const mirrored = this.#mirroredOwner(reference, namespace);
    if (mirrored !== undefined && !isWaitingForDependents(mirrored.owner)) return "Present";
    const kind = this.#kinds.ofReference(reference);
    if (kind === undefined) {
      this.#unresolved.add(item);
      return "Present";
    }
    this.#reportNamespace(kind, reference, object);
    // The owner reference of a cluster-scoped object names no namespace, so a namespaced owner cannot be looked up: the object stays.
    if (namespace === undefined && kind.resource.scope === "Namespaced") return "Present";
    const owner = await this.#read(kind, { metadata: { ...(namespace === undefined ? {} : { namespace }), ...reference } });
    if (owner === undefined) return "Absent";
    if (mirrored === undefined) this.#queue.addAfter(item, catchUpMs);
    return isWaitingForDependents(owner) ? "Waiting" : "Present";
  }

  /** Warns if the owner exists, but in another namespace than its dependent. */
  #reportNamespace(kind: MirroredKind, { apiVersion, kind: ownerKind, name, uid }: OwnerReference, object: KubeObject): void {
    const { namespace = "", uid: ownUid = "" } = object.metadata;
    const isElsewhere = kind.lister.by(byUid, uid).some(({ metadata }) => (metadata.namespace ?? namespace) !== namespace);
    const reported = this.#reported.get(ownUid) ?? new Set();
    if (!isElsewhere || reported.has(uid)) return;
    this.#reported.set(ownUid, reported.add(uid));
    const owner = `[${apiVersion}/${ownerKind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
    this.#environment.recorder.event(object, { type: "Warning", reason: "OwnerRefInvalidNamespace", message });
  }

  async #orphan(kind: MirroredKind, owner: KubeObject, item: Item): Promise<void> {
    if (!this.#kinds.isSynced) return this.#queue.addAfter(item, catchUpMs);
    const { client } = this.#environment;
    for (const dependent of [...this.#kinds.dependentsOf(owner.metadata.uid)]) {
      const object: KubeObject | undefined = dependent.kind.lister.get(dependent.key);
      if (object === undefined) continue;
      const owners = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
      await unlessGone(client.mergePatch(dependent.kind.resource, object.metadata, ownersPatch(object.metadata, owners)));
    }
    await this.#removeFinalizer(kind, owner, orphanFinalizer);
  }

  async #letGo(kind: MirroredKind, owner: KubeObject, item: Item): Promise<void> {
    if (!this.#kinds.isSynced) return this.#queue.addAfter(item, catchUpMs);
    const blocking = this.#dependents(owner).filter((dependent) => blocks(dependent, owner.metadata.uid));
    if (blocking.length === 0) await this.#removeFinalizer(kind, owner, foregroundFinalizer);
    else this.#addDependents(owner);
  }

  async #removeFinalizer(kind: MirroredKind, object: KubeObject, finalizer: string): Promise<void> {
    const fresh = await this.#read(kind, object);
    if (fresh === undefined || !hasFinalizer(fresh, finalizer)) return;
    const { resourceVersion, uid, finalizers = [] } = removeFinalizer(fresh, finalizer).metadata;
    await unlessGone(
      this.#environment.client.mergePatch(kind.resource, fresh.metadata, {
        metadata: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }), finalizers },
      }),
    );
  }

  /** The object as the server has it now; undefined if it is gone, or another of its name. */
  async #read({ resource }: MirroredKind, { metadata }: Pick<KubeObject, "metadata">): Promise<KubeObject | undefined> {
    const { name, uid } = metadata;
    const namespace = resource.scope === "Namespaced" ? metadata.namespace : undefined;
    const object = await unlessGone(this.#environment.client.get(resource, { namespace, name }));
    return object?.metadata.uid === uid ? object : undefined;
  }

  #dependents({ metadata }: KubeObject): readonly KubeObject[] {
    return [...this.#kinds.dependentsOf(metadata.uid)].flatMap(({ kind, key }) => {
      const object: KubeObject | undefined = kind.lister.get(key);
      return object === undefined ? [] : [object];
    });
  }

  #mirroredOwner(
    reference: OwnerReference,
    namespace: string | undefined,
  ): { readonly kind: MirroredKind; readonly owner: KubeObject } | undefined {
    const kind = this.#kinds.ofReference(reference);
    if (kind === undefined) return undefined;
    const owner: KubeObject | undefined = kind.lister.get({
      name: reference.name,
      ...(kind.resource.scope === "Namespaced" ? { namespace } : {}),
    });
    return owner?.metadata.uid === reference.uid ? { kind, owner } : undefined;
  }
}

/** Whether an object has owners that may be gone, or waits to go itself. */
function needsWork(object: KubeObject): boolean {
  const { deletionTimestamp, ownerReferences = [] } = object.metadata;
  if (deletionTimestamp === undefined) return ownerReferences.length > 0;
  return hasFinalizer(object, orphanFinalizer) || hasFinalizer(object, foregroundFinalizer);
}

function itemOf({ name }: MirroredKind, key: ObjectKey): Item {
  return `${name} ${key}`;
}
