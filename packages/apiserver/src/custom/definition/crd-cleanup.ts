import { errorMessage, isConditionTrue, removeFinalizer } from "@kaji/core";
import type { Clock, DynamicObject } from "@kaji/core";
import type { Kind } from "../../kind.ts";
import type { Storage } from "../../storage/storage.ts";
import { withCondition } from "./crd-conditions.ts";
import type { CrdCondition } from "./crd-conditions.ts";
import { asCrd, cleanupFinalizer } from "./crd.ts";
import type { CustomResourceDefinition } from "./crd.ts";
import type { CrdWriter } from "./crd-writer.ts";

/** Removes objects on behalf of the server. */
export interface CustomObjects {
  /** Deletes all objects of a kind in all namespaces, as a client would: those with finalizers stay until these are removed. */
  deleteAll(kind: Kind): Promise<void>;
}

/** What the end of a definition takes. */
export interface CrdCleanupOptions {
  readonly name: string;
  /** The kind it defines; undefined when it was never served. */
  readonly kind: Kind | undefined;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly crds: CrdWriter;
  readonly objects: CustomObjects;
}

/** Whether a definition has been deleted and its objects are on their way out. */
export function isTerminating({ status }: CustomResourceDefinition): boolean {
  return isConditionTrue(status?.conditions ?? [], "Terminating");
}

/** Ends a definition that was deleted: its objects go first, and it follows when none is left. */
export class CrdCleanup {
  readonly #options: CrdCleanupOptions;

  constructor(options: CrdCleanupOptions) {
    this.#options = options;
  }

  /** Settles when the definition is released, or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { kind } = this.#options;
    await this.#state({
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    });
    if (kind === undefined) {
      await this.#release({ type: "Terminating", status: "False", reason: "NeverEstablished", message: "resource was never established" });
      return;
    }
    await this.#deleteObjects(kind, signal);
    if (signal.aborted) return;
    await this.#release({ type: "Terminating", status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" });
  }

  async #deleteObjects(kind: Kind, signal: AbortSignal): Promise<void> {
    const { storage } = this.#options;
    let since: number;
    do {
      since = storage.currentRevision;
      await this.#deleteAll(kind);
    } while ((await nextOf(storage, kind.storagePrefix, since, signal)) === "New");
  }

  async #deleteAll(kind: Kind): Promise<void> {
    try {
      await this.#options.objects.deleteAll(kind);
    } catch (error) {
      const why = errorMessage(error);
      await this.#state({
        type: "Terminating",
        status: "True",
        reason: "InstanceDeletionFailed",
        message: `could not issue all deletes: ${why}`,
      });
      throw error;
    }
  }

  #state(condition: CrdCondition): Promise<void> {
    return this.#update((crd) => withState(crd, condition, this.#options.clock.now()));
  }

  #release(condition: CrdCondition): Promise<void> {
    return this.#update((crd) => removeFinalizer(withState(crd, condition, this.#options.clock.now()), cleanupFinalizer));
  }

  #update(change: (live: DynamicObject) => DynamicObject): Promise<void> {
    return this.#options.crds.updateStatus(this.#options.name, change);
  }
}

function withState(object: DynamicObject, condition: CrdCondition, nowMs: number): DynamicObject {
  const { status } = asCrd(object);
  const next = withCondition(status, condition, nowMs);
  return next === status ? object : { ...object, status: next };
}

/**
 * Waits for the next that happens to the objects of a path after a revision: that none is left, or that there is a new one, which was let in before
 * creations were refused.
 */
async function nextOf(storage: Storage, path: string, since: number, signal: AbortSignal): Promise<"Empty" | "New" | "Aborted"> {
  if (storage.count(path) === 0) return "Empty";
  const { promise, resolve } = Promise.withResolvers<"Empty" | "New" | "Aborted">();
  using _changes = storage.subscribe(path, since, (event) => {
    if (event.type === "Put" && event.previous === undefined) resolve("New");
    if (storage.count(path) === 0) resolve("Empty");
  });
  const onAbort = (): void => resolve("Aborted");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const next = await promise;
  signal.removeEventListener("abort", onAbort);
  return next;
}
