import type { DiscoveryResult, ServedResource } from "@kaji/client";
import { formatApiVersion, parseApiVersion, withGroup } from "@kaji/core";
import type { DynamicObject, KubeObject, ObjectKey, OwnerReference } from "@kaji/core";
import { byOwner, metadataOf } from "@kaji/informer";
import type { Delta, Informers, Lister, MetadataOf } from "@kaji/informer";
import type { DeepReadonly } from "@kaji/core/define";

/** One kind whose objects can be collected, with the metadata of all of them. */
export interface MirroredKind extends Disposable {
  /** Such as `deployments.apps`. */
  readonly name: string;
  readonly resource: ServedResource;
  readonly lister: Lister<MetadataOf<DynamicObject>>;
  readonly isSynced: () => boolean;
  readonly synced: Promise<void>;
}

/** Is called with each change of an object of any kind. */
export type OnDelta = (kind: MirroredKind, delta: Delta<DeepReadonly<KubeObject>>) => void;

/** The metadata of all objects that can be collected, whatever their kind. */
export class MirroredKinds implements Disposable {
  readonly #informers: Informers;
  readonly #onDelta: OnDelta;
  readonly #kinds = new Map<string, MirroredKind>();

  constructor(informers: Informers, onDelta: OnDelta) {
    this.#informers = informers;
    this.#onDelta = onDelta;
  }

  /** Starts and stops mirrors to match the kinds that are served; a kind whose extension server does not answer is kept. Tells whether any changed. */
  setServed({ resources, failures }: DiscoveryResult): boolean {
    const wanted = collectable(resources);
    const isGone = ({ name, resource }: MirroredKind): boolean =>
      wanted.get(name)?.version !== resource.version && !failures.has(formatApiVersion(resource));
    const gone = [...this.#kinds.values()].filter(isGone);
    for (const kind of gone) {
      this.#kinds.delete(kind.name);
      kind[Symbol.dispose]();
    }
    const added = [...wanted].filter(([name]) => !this.#kinds.has(name));
    for (const [name, resource] of added) this.#kinds.set(name, this.#mirror(name, resource));
    return gone.length + added.length > 0;
  }

  /** Whether the mirrors hold all that there is. */
  get isSynced(): boolean {
    return this.#kinds.values().every(({ isSynced }) => isSynced());
  }

  /** Resolves when the mirrors that there are now hold all that there is. */
  get synced(): Promise<unknown> {
    return Promise.all(Array.from(this.#kinds.values(), ({ synced }) => synced));
  }

  get(name: string): MirroredKind | undefined {
    return this.#kinds.get(name);
  }

  /** The kind that a reference means, whichever version of it. */
  ofReference({ apiVersion, kind }: OwnerReference): MirroredKind | undefined {
    const { group } = parseApiVersion(apiVersion);
    return this.#kinds.values().find(({ resource }) => resource.group === group && resource.kind === kind);
  }

  /** All objects that refer to an owner. */
  *dependentsOf(uid: string | undefined): Generator<{ readonly kind: MirroredKind; readonly key: ObjectKey }> {
    if (uid === undefined) return;
    for (const kind of this.#kinds.values()) for (const key of kind.lister.keysBy(byOwner, uid)) yield { kind, key };
  }

  [Symbol.dispose](): void {
    for (const kind of this.#kinds.values()) kind[Symbol.dispose]();
    this.#kinds.clear();
  }

  #mirror(name: string, resource: ServedResource): MirroredKind {
    const lease = this.#informers.acquire(metadataOf(resource), { indexes: [byOwner] });
    const { informer } = lease;
    let isSynced = false;
    void informer.synced.then(() => (isSynced = true));
    const mirrored: MirroredKind = {
      name,
      resource,
      lister: informer.lister,
      isSynced: () => isSynced,
      synced: informer.synced,
      [Symbol.dispose]: () => {
        subscription[Symbol.dispose]();
        lease[Symbol.dispose]();
      },
    };
    const subscription = informer.subscribe((delta) => this.#onDelta(mirrored, delta));
    return mirrored;
  }
}

const needed = ["delete", "list", "watch"];

/** The preferred version of every kind, without Events: they are many and expire by themselves. */
function collectable(resources: readonly ServedResource[]): ReadonlyMap<string, ServedResource> {
  const found = new Map<string, ServedResource>();
  for (const resource of resources) {
    const { group, plural, verbs } = resource;
    const name = withGroup(plural, group);
    const isEvent = name === "events" || name === "events.events.k8s.io";
    if (!isEvent && !found.has(name) && needed.every((verb) => verbs.includes(verb))) found.set(name, resource);
  }
  return found;
}
