import type { KubeObject, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Informer, Informers, Lister } from "@kaji/informer";

/** Says that objects are not there yet, and when they will be. */
export class NotMirroredError extends Error {
  readonly mirrored: Promise<void>;

  constructor(mirrored: Promise<void>) {
    super("not mirrored yet");
    this.mirrored = mirrored;
  }
}

/** The mirrors of kinds that few pods need, and those together: from the first time that one of them is asked for, until they are disposed of. */
export class RareMirrors implements Disposable {
  readonly #informers: Informers;
  readonly #kinds: readonly Resource[];
  readonly #onChange: (object: DeepReadonly<KubeObject>) => void;
  readonly #open = new Map<Resource, Informer<KubeObject>>();
  readonly #held = new DisposableStack();
  #mirrored: Promise<void> | undefined;
  #isMirrored = false;

  /** Calls back with each object that is there, and with each that changes. */
  constructor(informers: Informers, kinds: readonly Resource[], onChange: (object: DeepReadonly<KubeObject>) => void = () => {}) {
    this.#informers = informers;
    this.#kinds = kinds;
    this.#onChange = onChange;
  }

  /** Reads the objects of one of the kinds. Throws a `NotMirroredError` as long as they are not there. */
  lister<T extends KubeObject>(resource: Resource<T>): Lister<T> {
    if (!this.#isMirrored) throw new NotMirroredError(this.open());
    const informer = this.#open.get(resource);
    if (informer === undefined) throw new TypeError(`${resource.plural} are not among the kinds that are mirrored`);
    return informer.lister as Lister<T>;
  }

  /** Resolves when the objects of all the kinds are there. */
  open(): Promise<void> {
    return (this.#mirrored ??= this.#mirror());
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
  }

  async #mirror(): Promise<void> {
    const synced = this.#kinds.map((kind) => {
      const { informer } = this.#held.use(this.#informers.acquire(kind));
      this.#open.set(kind, informer);
      return this.#held.use(informer.subscribe(({ object }) => this.#onChange(object))).synced;
    });
    await Promise.all(synced);
    this.#isMirrored = true;
  }
}
