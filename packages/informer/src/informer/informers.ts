import { aborted, onAbort } from "@kaji/core";
import type { KubeObject, NamespacedName, Resource, Status } from "@kaji/core";
import { scopeText } from "./informer-scope.ts";
import type { InformerScope } from "./informer-scope.ts";
import { Informer } from "./informer.ts";
import type { InformerOptions } from "./informer.ts";
import { isUnparsed } from "./written-answer.ts";
import type { ObservedWrite, UnparsedAnswer } from "./written-answer.ts";
import type { Index } from "../store/object-index.ts";
import { asView, covers, isSameResource } from "../store/view.ts";
import type { View } from "../store/view.ts";

/** What all informers of a program have in common. */
export type InformersOptions = Pick<
  InformerOptions<KubeObject>,
  "source" | "clock" | "random" | "isInProcess" | "parsedObjects" | "freeze" | "onFailure" | "onRecovery"
>;

/** Which informer is wanted, and by what it is to be asked. */
export interface AcquireOptions<T extends KubeObject> extends InformerScope {
  readonly indexes?: readonly Index<T>[];
  /** Whether `metadata.managedFields` is needed; one that keeps it serves those too who do not need it. Default false. */
  readonly managedFields?: boolean;
}

/** The use of a shared informer, until it is disposed of. */
export interface InformerLease<T extends KubeObject> extends Disposable {
  readonly informer: Informer<T>;
}

interface Shared {
  readonly informer: Informer<KubeObject>;
  readonly view: View<KubeObject>;
  readonly scope: string;
  readonly managedFields: boolean;
  /** How many leases there are; at least one. */
  leases: number;
  /** Ends it, while it runs. */
  end: AbortController | undefined;
}

/** The informers of a program: one for each kind, view and scope, shared by all its leases, for as long as there is one. */
export class Informers {
  readonly #options: InformersOptions;
  readonly #shared = new Set<Shared>();
  /** Starts an informer, while this runs. */
  #start: ((shared: Shared) => void) | undefined;

  constructor(options: InformersOptions) {
    this.#options = options;
  }

  /** How many informers there are. */
  get size(): number {
    return this.#shared.size;
  }

  /** The informer of a kind or a view of it; metadata are those of an informer of whole objects, if there is one. */
  acquire<T extends KubeObject>(of: Resource<T> | View<T>, options: AcquireOptions<T> = {}): InformerLease<T> {
    const view = asView(of);
    const shared = this.#find(view, options) ?? this.#create(view, options);
    // Its view covers the one that was asked for.
    const informer = shared.informer as object as Informer<T>;
    for (const index of options.indexes ?? []) informer.addIndex(index);
    shared.leases++;
    let isHeld = true;
    return {
      informer,
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(shared);
        isHeld = false;
      },
    };
  }

  /** Runs every informer that there is or will be, until it is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#start !== undefined) throw new Error("the informers are running already");
    const failure = new AbortController();
    const scope = AbortSignal.any([signal, failure.signal]);
    const running = new Set<Promise<void>>();
    this.#start = (shared) => {
      shared.end = new AbortController();
      const run = shared.informer.run(shared.end.signal).catch((error: unknown) => failure.abort(error));
      running.add(run);
      void run.then(() => running.delete(run));
    };
    for (const shared of this.#shared) this.#start(shared);
    using _end = onAbort(scope, (reason) => {
      this.#start = undefined;
      for (const shared of this.#shared) shared.end?.abort(reason);
    });
    await aborted(scope);
    await Promise.all(running);
    if (failure.signal.aborted) throw failure.signal.reason;
  }

  /** Announces a write to every informer of the kind; see `Informer.beginWrite`. */
  beginWrite(resource: Resource, address: NamespacedName): Disposable {
    let begun: Disposable | undefined;
    for (const { informer, view } of this.#shared) {
      if (isSameResource(view.resource, resource)) begun = together(begun, informer.beginWrite(address));
    }
    return begun ?? nothing;
  }

  /** Shows a write to every informer that mirrors the kind; see `Informer.observeWrite`. */
  observeWrite(answer: KubeObject | UnparsedAnswer, about?: ObservedWrite): string | undefined {
    let version: string | undefined;
    for (const { informer, view } of this.#shared) {
      if (isUnparsed(answer) && !isSameResource(view.resource, answer.resource)) continue;
      version = informer.observeWrite(answer, about) ?? version;
    }
    return version;
  }

  /** Shows a deletion to every informer of the kind; see `Informer.observeDeletion`. */
  observeDeletion(resource: Resource, address: NamespacedName, response: KubeObject | Status, about?: ObservedWrite): void {
    for (const { informer, view } of this.#shared)
      if (isSameResource(view.resource, resource)) informer.observeDeletion(address, response, about);
  }

  #find(view: View<KubeObject>, options: AcquireOptions<never>): Shared | undefined {
    const { managedFields = false } = options;
    const scope = scopeText(options);
    for (const shared of this.#shared) {
      if (shared.scope === scope && (shared.managedFields || !managedFields) && covers(shared.view, view)) return shared;
    }
    return undefined;
  }

  #create(view: View<KubeObject>, { indexes: _indexes, ...options }: AcquireOptions<never>): Shared {
    const informer = new Informer({ ...this.#options, ...options, of: view });
    const { managedFields = false } = options;
    const shared: Shared = { informer, view, scope: scopeText(options), managedFields, leases: 0, end: undefined };
    this.#shared.add(shared);
    this.#start?.(shared);
    return shared;
  }

  #release(shared: Shared): void {
    shared.leases--;
    if (shared.leases > 0) return;
    this.#shared.delete(shared);
    shared.end?.abort(isReleased);
  }
}

/** Why an informer ends that nobody uses any more; made once, since nobody reads it and each error takes a stack. */
const isReleased = new Error("the informer is no longer used");

const nothing: Disposable = { [Symbol.dispose]: () => {} };

/** Nearly always there is one only. */
function together(first: Disposable | undefined, second: Disposable): Disposable {
  if (first === undefined) return second;
  return {
    [Symbol.dispose]: () => {
      second[Symbol.dispose]();
      first[Symbol.dispose]();
    },
  };
}
