import { parseAddress } from "@kaji/client";
import { compileSelector } from "@kaji/core";
import type { KubeObject, LabelSelector, Resource } from "@kaji/core";
import { asView, byOwner, covers } from "@kaji/informer";
import type { Index, Informer, InformerScope, Lister, View } from "@kaji/informer";
import type { ControllerEnvironment } from "./controller-environment.ts";
import type { KindSelection, MappingReads } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { joinedReads } from "./joined-reads.ts";
import type { MirrorReads } from "./joined-reads.ts";
import { kindId } from "../declare/kind-id.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";

/** The mirrors that a controller reads from, for as long as it runs. */
export class Mirrors implements Disposable {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #leases = new Set<Disposable>();
  /** Undefined until the controller runs. */
  #own: Lister<KubeObject> | undefined;
  /** By kind, mirrors without selectors first: reads are answered from such a one, or else from all. */
  readonly #readable = new Map<string, readonly Readable[]>();
  /** Optional kinds that the server lacks at the moment. */
  readonly #absent = new Set<string>();
  /** Kinds that may be applied: their `managedFields` are kept in memory, since they say what was applied. */
  readonly #applied: ReadonlySet<string>;

  constructor(controller: Controller, environment: ControllerEnvironment) {
    this.#controller = controller;
    this.#environment = environment;
    const applied = [
      ...controller.owns.filter((child) => child.applied ?? true),
      ...controller.watches.filter(({ verbs }) => verbs.includes("create") && verbs.includes("patch")),
    ];
    this.#applied = new Set(applied.map(({ resource }) => kindId(resource)));
  }

  /** The objects that the controller looks after, and no others of the kind, even if it mirrors all for another reason. */
  get own(): Lister<KubeObject> {
    if (this.#own === undefined) throw new Error(`controller ${this.#controller.name} does not run`);
    return this.#own;
  }

  /** Mirrors a kind until the caller disposes of it, or the controller ends. */
  acquire(view: View<KubeObject>, options: MirrorOptions): { readonly informer: Informer<KubeObject> } & Disposable {
    const { informers, namespaces } = this.#environment;
    const { resource } = view;
    const { labelSelector, fieldSelector, indexes = [] } = options;
    const scope: InformerScope = {
      namespaces: resource.scope === "Cluster" ? undefined : (options.namespaces ?? namespaces),
      labelSelector: selectorText(labelSelector),
      fieldSelector,
    };
    const managedFields = this.#applied.has(kindId(resource));
    // The type of the declaration has checked that each index is of objects of this kind.
    const lease = informers.acquire(view, { ...scope, managedFields, indexes: indexes as readonly Index<KubeObject>[] });
    const readable: Readable = {
      informer: lease.informer,
      view,
      isWhole: labelSelector === undefined && fieldSelector === undefined && options.namespaces === undefined,
    };
    if (options.isOwn === true) this.#own = lease.informer.lister;
    const id = kindId(resource);
    const others = this.#readable.get(id) ?? [];
    this.#readable.set(id, readable.isWhole ? [readable, ...others] : [...others, readable]);
    const held = { informer: lease.informer, [Symbol.dispose]: () => this.#release(id, readable, lease) };
    this.#leases.add(lease);
    return held;
  }

  /** Reads a kind, or the view of a kind, that is declared; `verb` is what that is for. */
  lister<T extends KubeObject>(of: Resource<T> | View<T>, verb: "watch" | "apply" = "watch"): MirrorReads<T> {
    const view = asView(of);
    const first = this.#covering(view);
    if (first === undefined) throw new UndeclaredError(this.#controller, verb, view.resource);
    const all = this.#readable.get(kindId(view.resource)) ?? [];
    if (first.isWhole || all.length === 1) return first.informer.lister as Lister<T>;
    return joinedReads(all.filter((each) => covers(each.view, view)).map(({ informer }) => informer.lister as Lister<T>));
  }

  /** Whether whole objects of a kind are mirrored. */
  has(resource: Resource): boolean {
    return this.#covering(asView(resource)) !== undefined;
  }

  /** Whether the server serves a kind that is mirrored, whole or in part. */
  isServed(of: Resource | View<KubeObject>): boolean {
    const { resource } = asView(of);
    const id = kindId(resource);
    if (!this.#readable.has(id)) throw new UndeclaredError(this.#controller, "watch", resource);
    return !this.#absent.has(id);
  }

  /** Notes whether the server lacks an optional kind. */
  setAbsent(resource: Resource, isAbsent: boolean): void {
    if (isAbsent) this.#absent.add(kindId(resource));
    else this.#absent.delete(kindId(resource));
  }

  /** The cache reads of a mapping or a source. */
  readonly reads: MappingReads = {
    get: (of, address) => this.lister(of).get(parseAddress(address)),
    list: (of, query) => this.lister(of).list(query),
    by: (of, index, value, query) => this.lister(of).by(index, value, query),
  };

  [Symbol.dispose](): void {
    for (const lease of this.#leases) lease[Symbol.dispose]();
    this.#leases.clear();
  }

  #covering(view: View<KubeObject>): Readable | undefined {
    return this.#readable.get(kindId(view.resource))?.find((readable) => covers(readable.view, view));
  }

  #release(id: string, readable: Readable, lease: Disposable): void {
    const left = (this.#readable.get(id) ?? []).filter((other) => other !== readable);
    if (left.length === 0) this.#readable.delete(id);
    else this.#readable.set(id, left);
    this.#leases.delete(lease);
    lease[Symbol.dispose]();
  }
}

interface Readable {
  readonly informer: Informer<KubeObject>;
  readonly view: View<KubeObject>;
  readonly isWhole: boolean;
}

/** Which objects of a kind are mirrored, and by what they are asked for. */
export interface MirrorOptions extends KindSelection {
  /** Whether these are the objects that the controller looks after. Default false. */
  readonly isOwn?: boolean;
  readonly indexes?: readonly Index<never>[];
}

/** What a mirror of children is asked by. */
export const childIndexes: readonly Index<never>[] = [byOwner];

function selectorText(selector: string | LabelSelector | undefined): string | undefined {
  return selector === undefined || typeof selector === "string" ? selector : compileSelector(selector).toString();
}
