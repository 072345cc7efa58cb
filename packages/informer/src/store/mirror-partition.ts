import type { KubeObject, ObjectKey } from "@kaji/core";
import type { IncomingObject } from "../wire/incoming-object.ts";
import type { Mirror } from "./mirror.ts";
import type { ReflectorTarget } from "../reflector/reflector.ts";
import { isOlder } from "../reflector/resource-version.ts";

/** How a partition takes objects in. */
export interface PartitionOptions<T extends KubeObject> {
  readonly mirror: Mirror<T>;
  readonly incoming: IncomingObject;
  /** The namespace it is of; all there are, if undefined. */
  readonly namespace: string | undefined;
  /** Makes of the incoming object what is kept; false if it is not. */
  readonly admit: (key: ObjectKey) => boolean;
  readonly onSynced: () => void;
}

/** The part of a mirror that one Reflector fills: one namespace, or everything. */
export class MirrorPartition<T extends KubeObject> implements ReflectorTarget {
  readonly incoming: IncomingObject;
  readonly #options: PartitionOptions<T>;
  #listNumber = 0;
  #isListing = false;
  /** Objects that went since the first list began that is not over, and the version of that: nothing else would remember it. */
  readonly #goneInList = new Map<ObjectKey, string>();
  /** Everything up to here has been told; empty before the first list is over. While another list is under way, it stays. */
  #resourceVersion = "";

  constructor(options: PartitionOptions<T>) {
    this.#options = options;
    this.incoming = options.incoming;
  }

  /** The version up to which everything has been told of an object; empty if nothing has. */
  progressOf(key: ObjectKey): string {
    return this.#goneInList.get(key) ?? this.#resourceVersion;
  }

  /** Whether an object belongs here. */
  readonly has = (key: ObjectKey): boolean => {
    const { namespace } = this.#options;
    return namespace === undefined || key.startsWith(`${namespace}/`);
  };

  listStarted(): void {
    this.#isListing = true;
    this.#listNumber = this.#options.mirror.startList();
  }

  listed(): void {
    const { key } = this.incoming;
    const list = { number: this.#listNumber, initial: this.#resourceVersion === "" };
    if (this.#options.admit(key)) this.#options.mirror.present(key, list);
  }

  listEnded(resourceVersion: string): void {
    const { mirror, onSynced } = this.#options;
    const hasRestarted = isOlder(resourceVersion, this.#resourceVersion);
    this.#resourceVersion = resourceVersion;
    this.#isListing = false;
    this.#goneInList.clear();
    mirror.sweep(this.#listNumber, this.has);
    if (hasRestarted) mirror.restart(this.has);
    mirror.passed(resourceVersion, this.has);
    onSynced();
  }

  changed(type: "ADDED" | "MODIFIED" | "DELETED", resourceVersion: string): void {
    const { mirror, admit } = this.#options;
    const { key } = this.incoming;
    // In the middle of a list, what has been told up to a version is not everything.
    if (!this.#isListing) this.#resourceVersion = resourceVersion;
    const isKept = admit(key);
    if (type === "DELETED" && this.#isListing) this.#goneInList.set(key, resourceVersion);
    if (type === "DELETED" || !isKept) mirror.gone(key, isKept);
    else mirror.present(key);
    if (!this.#isListing) mirror.passed(resourceVersion, this.has);
  }

  progressed(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    this.#options.mirror.passed(resourceVersion, this.has);
  }
}
