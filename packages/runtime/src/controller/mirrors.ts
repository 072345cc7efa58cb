import { compileSelector } from "@kaji/core";
import type { KubeObject, LabelSelector, Resource } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import type { Index, Informer, InformerScope, Lister } from "@kaji/informer";
import type { ControllerEnvironment } from "./controller-environment.ts";
import type { MappingReads, Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { kindId } from "../declare/kind-id.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";

/** The mirrors that a controller reads from, for as long as it runs. */
export class Mirrors implements Disposable {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #leases = new Set<Disposable>();
  /** By kind, mirrors without selectors first: reads are answered from the first one. */
  readonly #readable = new Map<string, readonly Readable[]>();
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

  /** Mirrors a kind until the caller disposes of it, or the controller ends. */
  acquire(resource: Resource, options: MirrorOptions): { readonly informer: Informer<KubeObject> } & Disposable {
    const { informers, namespaces } = this.#environment;
    const { labelSelector, fieldSelector, indexes = [] } = options;
    const scope: InformerScope = {
      ...(resource.scope === "Cluster" ? {} : ifDefined("namespaces", options.namespaces ?? namespaces)),
      ...ifDefined("labelSelector", selectorText(labelSelector)),
      ...ifDefined("fieldSelector", fieldSelector),
    };
    const managedFields = this.#applied.has(kindId(resource));
    // The type of the declaration has checked that each index is of objects of this kind.
    const lease = informers.acquire(resource, { ...scope, managedFields, indexes: indexes as readonly Index<KubeObject>[] });
    const readable: Readable = {
      informer: lease.informer,
      isWhole: labelSelector === undefined && fieldSelector === undefined && options.namespaces === undefined,
    };
    const id = kindId(resource);
    const others = this.#readable.get(id) ?? [];
    this.#readable.set(id, readable.isWhole ? [readable, ...others] : [...others, readable]);
    const held = { informer: lease.informer, [Symbol.dispose]: () => this.#release(id, readable, lease) };
    this.#leases.add(lease);
    return held;
  }

  /** Reads a kind that is declared; `verb` is what that is for. */
  lister<T extends KubeObject>(resource: Resource<T>, verb: "watch" | "apply" = "watch"): Lister<T> {
    const [mirror] = this.#readable.get(kindId(resource)) ?? [];
    if (mirror === undefined) throw new UndeclaredError(this.#controller, verb, resource);
    return mirror.informer.lister as unknown as Lister<T>;
  }

  /** Whether a kind is mirrored. */
  has(resource: Resource): boolean {
    return this.#readable.has(kindId(resource));
  }

  /** The cache reads of a mapping. */
  readonly reads: MappingReads = {
    list: (resource, query) => this.lister(resource).list(query),
    by: (resource, index, value) => this.lister(resource).by(index, value),
  };

  [Symbol.dispose](): void {
    for (const lease of this.#leases) lease[Symbol.dispose]();
    this.#leases.clear();
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
  readonly isWhole: boolean;
}

/** Which objects of a kind are mirrored. */
export interface MirrorOptions extends Partial<Pick<Watched, "fieldSelector" | "namespaces" | "indexes">> {
  readonly labelSelector?: string | LabelSelector | undefined;
}

/** What a mirror of children is asked by. */
export const childIndexes: readonly Index<never>[] = [byOwner];

function selectorText(selector: string | LabelSelector | undefined): string | undefined {
  return selector === undefined || typeof selector === "string" ? selector : compileSelector(selector).toString();
}

function ifDefined<K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };
}
