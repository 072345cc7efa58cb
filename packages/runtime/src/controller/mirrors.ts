import { parseAddress } from "@kaji/client";
import { compileSelector, isReason } from "@kaji/core";
import type { KubeObject, LabelSelector, Resource } from "@kaji/core";
import { asView, byOwner, covers } from "@kaji/informer";
import type { Index, Informer, InformerLease, InformerScope, InformerState, Informers, Lister, View } from "@kaji/informer";
import type { KindSelection, MappingReads, OptionalKind } from "../declare/declarations.ts";
import { joinedReads } from "./joined-reads.ts";
import type { MirrorReads } from "./joined-reads.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import { kindId } from "../declare/kind-id.ts";
import type { MirroredKind } from "./running-controller.ts";

/** What mirrors are made of, and how their reader is spoken to. */
export interface MirrorsOptions {
  readonly informers: Informers;
  /** Where the operator looks. Default: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** Kinds that are applied: their `managedFields` are kept in memory, since they say what was applied. */
  readonly applied: readonly Resource[];
  /** What is thrown at whoever reads a kind that is not mirrored. */
  readonly undeclared: (verb: "watch" | "apply", resource: Resource) => Error;
}

/** The mirrors that a part of an operator reads from, for as long as it runs. */
export class Mirrors implements Disposable {
  readonly #options: MirrorsOptions;
  readonly #leases = new Set<Disposable>();
  /** Undefined until the controller runs. */
  #own: Lister<KubeObject> | undefined;
  /** By kind, mirrors without selectors first: reads are answered from such a one, or else from all. */
  readonly #mirrors = new Map<string, readonly Mirror[]>();
  readonly #applied: ReadonlySet<string>;
  readonly #isAnyApplied: boolean;

  constructor(options: MirrorsOptions) {
    this.#options = options;
    this.#applied = new Set(options.applied.map(kindId));
    this.#isAnyApplied = options.applied.some((resource) => isOfAnyKind({ resource }));
  }

  /** The objects that the controller looks after, and no others of the kind, even if it mirrors all for another reason. */
  get own(): Lister<KubeObject> {
    if (this.#own === undefined) throw new Error("the controller does not run");
    return this.#own;
  }

  /** What is mirrored, and how it is doing. */
  get mirrored(): readonly MirroredKind[] {
    const mirrors = [...this.#mirrors.values()].flat();
    return mirrors.map(({ view, informer, isSynced, isAbsent, isAdded }) => ({
      resource: view.resource,
      state: informer.state,
      stats: informer.stats,
      isSynced,
      isAbsent,
      isAdded,
    }));
  }

  /** Mirrors a kind until the caller disposes of it, or all mirrors end. An optional one that has been installed is told of. */
  acquire(view: View<KubeObject>, options: MirrorOptions, onInstalled: (resource: Resource) => void = () => {}): HeldMirror {
    if (isOfAnyKind(view))
      throw new TypeError(
        "anyKind is no kind that could be mirrored: name the kind, or declare anyKind in owns or watches of a controller",
      );
    const lease = new DisposableStack();
    const { informer } = lease.use(this.#lease(view, options));
    const isWhole = options.labelSelector === undefined && options.fieldSelector === undefined && options.namespaces === undefined;
    const mirror: Mirror = { view, informer, isWhole, isSynced: false, isAbsent: false, isAdded: options.isAdded ?? false };
    if (options.isOwn === true) this.#own = informer.lister;
    const id = kindId(view.resource);
    const others = this.#mirrors.get(id) ?? [];
    this.#mirrors.set(id, isWhole ? [mirror, ...others] : [...others, mirror]);
    const synced = informer.synced.then(() => void (mirror.isSynced = true));
    const { promise: absent, resolve } = Promise.withResolvers<void>();
    if (options.optional === true) lease.use(noteAbsence(mirror, { onAbsent: resolve, onInstalled }));
    this.#leases.add(lease);
    return {
      informer,
      synced,
      absent,
      get isAbsent() {
        return mirror.isAbsent;
      },
      [Symbol.dispose]: () => this.#release(mirror, lease),
    };
  }

  /** Reads a kind, or the view of a kind, that is declared; `verb` is what that is for. */
  lister<T extends KubeObject>(of: Resource<T> | View<T>, verb: "watch" | "apply" = "watch"): MirrorReads<T> {
    const view = asView(of);
    const first = this.#covering(view);
    if (first === undefined) throw this.#options.undeclared(verb, view.resource);
    const all = this.#mirrors.get(kindId(view.resource)) ?? [];
    if (first.isWhole || all.length === 1) return first.informer.lister as Lister<T>;
    return joinedReads(all.filter((each) => covers(each.view, view)).map(({ informer }) => informer.lister as Lister<T>));
  }

  /** Whether anything of a kind is mirrored. */
  isMirrored(resource: Resource): boolean {
    return this.#mirrors.has(kindId(resource));
  }

  /** Whether whole objects of a kind are mirrored. */
  has(resource: Resource): boolean {
    return this.#covering(asView(resource)) !== undefined;
  }

  /** Whether it is in memory who has applied which fields of a kind. */
  keepsRecord(resource: Resource): boolean {
    return this.#isAnyApplied || this.#applied.has(kindId(resource));
  }

  /** Whether the server serves a kind that is mirrored, whole or in part. */
  isServed(of: Resource | View<KubeObject>): boolean {
    const { resource } = asView(of);
    const mirrors = this.#mirrors.get(kindId(resource));
    if (mirrors === undefined) throw this.#options.undeclared("watch", resource);
    return !mirrors.some(({ isAbsent }) => isAbsent);
  }

  /** The cache reads of a mapping or a source. */
  readonly reads: MappingReads = {
    get: (of, address) => this.lister(of).get(parseAddress(address)),
    list: (of, query) => this.lister(of).list(query),
    by: (of, index, value, query) => this.lister(of).by(index, value, query),
  };

  /** Whoever still reads sees what was there at the end. */
  [Symbol.dispose](): void {
    for (const lease of this.#leases) lease[Symbol.dispose]();
    this.#leases.clear();
  }

  #covering(view: View<KubeObject>): Mirror | undefined {
    return this.#mirrors.get(kindId(view.resource))?.find((mirror) => covers(mirror.view, view));
  }

  #lease(view: View<KubeObject>, options: MirrorOptions): InformerLease<KubeObject> {
    const { informers, namespaces } = this.#options;
    const { resource } = view;
    const { labelSelector, fieldSelector, indexes = [] } = options;
    const scope: InformerScope = {
      namespaces: resource.scope === "Cluster" ? undefined : (options.namespaces ?? namespaces),
      labelSelector: selectorText(labelSelector),
      fieldSelector,
    };
    const managedFields = this.keepsRecord(resource);
    // The type of the declaration has checked that each index is of objects of this kind.
    return informers.acquire(view, { ...scope, managedFields, indexes: indexes as readonly Index<KubeObject>[] });
  }

  #release(mirror: Mirror, lease: Disposable): void {
    const id = kindId(mirror.view.resource);
    const left = (this.#mirrors.get(id) ?? []).filter((other) => other !== mirror);
    if (left.length === 0) this.#mirrors.delete(id);
    else this.#mirrors.set(id, left);
    this.#leases.delete(lease);
    lease[Symbol.dispose]();
  }
}

/** A mirror until it is disposed of. */
export interface HeldMirror extends Disposable {
  readonly informer: Informer<KubeObject>;
  /** Resolves when everything is there for the first time. */
  readonly synced: Promise<void>;
  /** Resolves if it is optional, and the server lacks it. */
  readonly absent: Promise<void>;
  /** Whether it is optional, and the server lacks it now. */
  readonly isAbsent: boolean;
}

interface Mirror {
  readonly informer: Informer<KubeObject>;
  readonly view: View<KubeObject>;
  readonly isWhole: boolean;
  readonly isAdded: boolean;
  isSynced: boolean;
  isAbsent: boolean;
}

/** Which objects of a kind are mirrored, and by what they are asked for. */
export interface MirrorOptions extends KindSelection, OptionalKind {
  /** Whether these are the objects that the controller looks after. Default false. */
  readonly isOwn?: boolean;
  readonly indexes?: readonly Index<never>[];
  /** Whether it came while the controller ran. Default false. */
  readonly isAdded?: boolean;
}

/** What a mirror of children is asked by. */
export const childIndexes: readonly Index<never>[] = [byOwner];

function selectorText(selector: string | LabelSelector | undefined): string | undefined {
  return selector === undefined || typeof selector === "string" ? selector : compileSelector(selector).toString();
}

/** Follows whether the server has an optional kind. The informer keeps asking for it, at least every 30 s. */
function noteAbsence(
  mirror: Mirror,
  told: { readonly onAbsent: () => void; readonly onInstalled: (resource: Resource) => void },
): Disposable {
  const { informer, view } = mirror;
  const look = (state: InformerState): void => {
    if (state.type === "Failing" && isReason(state.error, "NotFound", "MethodNotAllowed")) {
      mirror.isAbsent = true;
      told.onAbsent();
    } else if (state.type === "Synced" && mirror.isAbsent) {
      mirror.isAbsent = false;
      told.onInstalled(view.resource);
    }
  };
  look(informer.state);
  return informer.onState(look);
}
