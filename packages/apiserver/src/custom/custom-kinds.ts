import { hasFinalizer, objectOf, parseJsonBytes, structuralEqual } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Kind, KindVersion } from "../kind.ts";
import type { KindRegistry } from "../kind-registry.ts";
import type { Entry, Storage, StorageEvent } from "../storage/storage.ts";
import type { ConversionCaller } from "../webhooks/conversion-webhook.ts";
import { CrdCleanup, isTerminating } from "./definition/crd-cleanup.ts";
import type { CustomObjects } from "./definition/crd-cleanup.ts";
import { crdStoragePrefix } from "./definition/crd-kind.ts";
import { isServed, nextStatus, takenNames } from "./definition/crd-names.ts";
import { asCrd, cleanupFinalizer } from "./definition/crd.ts";
import type { CrdNames, CustomResourceDefinition } from "./definition/crd.ts";
import type { TellTrouble } from "../trouble.ts";
import { KindChanged } from "../registry/kind-changed.ts";
import { createCustomKind } from "./custom-kind.ts";
import type { CrdWriter } from "./definition/crd-writer.ts";
import { KeyedJobs } from "./keyed-jobs.ts";

/** What custom kinds are served with. */
export interface CustomKindsOptions {
  readonly storage: Storage;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly crds: CrdWriter;
  readonly objects: CustomObjects;
  /** Ends the watches of a version that is served no longer, or otherwise than before. */
  readonly watches: { endAll(version: KindVersion): void };
  /** Calls conversion webhooks. */
  readonly conversions?: ConversionCaller;
  /** Is told what could not be done for a definition; it is tried again. */
  readonly tell: TellTrouble;
}

/** A definition, and what has become of it. */
interface Definition {
  readonly uid: string | undefined;
  crd: CustomResourceDefinition;
  /** The names it has, as far as decided; its status may not say so yet. */
  names: CrdNames;
  /** The revision at which its versions last changed. */
  changedAt: number;
  /** Given while it is served. */
  kind: Kind | undefined;
  /** Whether the kind is no longer what the definition says. */
  isOutdated: boolean;
}

/**
 * Serves the kinds that definitions in storage define, while they are there.
 *
 * A kind is served from the moment its definition is stored, before anybody can read that it is established: no client ever finds it missing.
 */
export class CustomKinds implements AsyncDisposable {
  readonly #options: CustomKindsOptions;
  /** By name. */
  readonly #definitions = new Map<string, Definition>();
  readonly #statusWrites: KeyedJobs;
  readonly #cleanups: KeyedJobs;
  readonly #subscription: Disposable;

  constructor(options: CustomKindsOptions) {
    const { storage, clock, tell } = options;
    this.#options = options;
    const jobs = { clock, tell, kind: "CustomResourceDefinition" };
    this.#statusWrites = new KeyedJobs(jobs, (name) => this.#writeStatus(name));
    this.#cleanups = new KeyedJobs(jobs, (name, signal) => this.#cleanUp(name, signal));
    const { entries, revision } = storage.list(crdStoragePrefix);
    for (const entry of entries) this.#take(entry);
    for (const name of this.#definitions.keys()) this.#consider(name);
    this.#subscription = storage.subscribe(crdStoragePrefix, revision, (event) => this.#observe(event));
  }

  /** Stops looking after definitions, once what is under way has come to an end. What is served stays served. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    await Promise.all([this.#statusWrites[Symbol.asyncDispose](), this.#cleanups[Symbol.asyncDispose]()]);
  }

  #observe(event: StorageEvent): void {
    if (event.type === "Put") this.#consider(this.#take(event.entry));
    else this.#forget(event.key.slice(crdStoragePrefix.length));
  }

  /** Takes note of a definition; returns its name. */
  #take({ bytes, modRevision }: Entry): string {
    const crd = readCrd(bytes);
    const { name, uid } = crd.metadata;
    let known = this.#definitions.get(name);
    if (known !== undefined && known.uid !== uid) {
      this.#forget(name);
      known = undefined;
    }
    if (known === undefined) {
      const names = crd.status?.acceptedNames ?? { plural: "", kind: "" };
      this.#definitions.set(name, { uid, crd, names, changedAt: modRevision, kind: undefined, isOutdated: false });
      return name;
    }
    if (!structuralEqual(known.crd.spec.versions, crd.spec.versions)) known.changedAt = modRevision;
    if (!structuralEqual(known.crd.spec, crd.spec)) known.isOutdated = true;
    known.crd = crd;
    return name;
  }

  /** Decides on names, serves the kind or not, and sees to what is to be written. */
  #consider(name: string): void {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return;
    const { crd } = definition;
    const status = nextStatus(crd, this.#takenBut(name), this.#options.clock.now());
    const hasNewNames = !structuralEqual(definition.names, status.acceptedNames);
    if (hasNewNames) definition.isOutdated = true;
    definition.names = status.acceptedNames;
    if (isServed(status)) this.#serve(definition);
    if (!structuralEqual(status, crd.status)) this.#statusWrites.add(name);
    if (isHeldByUs(crd)) this.#cleanups.add(name);
    if (hasNewNames) this.#reconsiderOthers(name, crd.spec.group);
  }

  #serve(definition: Definition): void {
    const { kinds, conversions, storage } = this.#options;
    const { crd, names, changedAt, kind: before } = definition;
    // A built-in kind stays, whatever definitions say.
    const isBuiltIn = before === undefined && kinds.get(crd.spec.group, names.plural) !== undefined;
    if (isBuiltIn || (before !== undefined && !definition.isOutdated)) return;
    definition.isOutdated = false;
    const kind: Kind = createCustomKind(crd, {
      names,
      changedAt,
      isTerminating: () => isTerminating(definition.crd),
      definition: {
        pending: () => storage.pending(crdStoragePrefix + crd.metadata.name),
        confirm: () => {
          if (definition.kind !== kind) throw new KindChanged();
        },
      },
      conversions,
    });
    definition.kind = kind;
    kinds.set(kind);
    this.#endWatches(before);
  }

  #unserve(definition: Definition): void {
    const { kind } = definition;
    if (kind === undefined) return;
    definition.kind = undefined;
    this.#options.kinds.delete(kind);
    this.#endWatches(kind);
  }

  #endWatches(kind: Kind | undefined): void {
    for (const version of kind?.versions ?? []) this.#options.watches.endAll(version);
  }

  #forget(name: string): void {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return;
    this.#definitions.delete(name);
    this.#unserve(definition);
    this.#reconsiderOthers(name, definition.crd.spec.group);
  }

  /** Names may have become free that others of the group wait for. */
  #reconsiderOthers(name: string, group: string): void {
    for (const [other, { crd, names }] of this.#definitions) {
      if (other !== name && crd.spec.group === group && !structuralEqual(crd.spec.names, names)) this.#consider(other);
    }
  }

  #takenBut(name: string): ReturnType<typeof takenNames> {
    const group = this.#definitions.get(name)?.crd.spec.group;
    const others = [...this.#definitions].filter(([other, { crd }]) => other !== name && crd.spec.group === group);
    return takenNames(others.map(([, { names }]) => names));
  }

  async #writeStatus(name: string): Promise<void> {
    const { crds, clock } = this.#options;
    await crds.updateStatus(name, (live) => {
      const crd = asCrd(live);
      const status = nextStatus(crd, this.#takenBut(name), clock.now());
      return structuralEqual(status, crd.status) ? live : { ...live, status };
    });
  }

  async #cleanUp(name: string, signal: AbortSignal): Promise<void> {
    const definition = this.#definitions.get(name);
    if (definition === undefined || !isHeldByUs(definition.crd)) return;
    const { crd, names, kind } = definition;
    const wholeKind = kind === undefined ? undefined : createCustomKind(inStorageVersion(crd), { names });
    await new CrdCleanup({ ...this.#options, name, kind: wholeKind }).run(signal);
  }
}

/** Objects can be removed even if clients have no way to reach them any more, and without being converted. */
function inStorageVersion(crd: CustomResourceDefinition): CustomResourceDefinition {
  const versions = crd.spec.versions.map((version) => ({ ...version, served: version.storage }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

/** Whether a definition was deleted and waits for its objects to go. */
function isHeldByUs(crd: CustomResourceDefinition): boolean {
  return crd.metadata.deletionTimestamp !== undefined && hasFinalizer(crd, cleanupFinalizer);
}

/** Definitions by the bytes they are kept as, which the forks of a storage share. */
const readCrds = new WeakMap<Uint8Array, CustomResourceDefinition>();

function readCrd(bytes: Uint8Array): CustomResourceDefinition {
  let crd = readCrds.get(bytes);
  if (crd === undefined) readCrds.set(bytes, (crd = asCrd(objectOf(parseJsonBytes(bytes)))));
  return crd;
}
