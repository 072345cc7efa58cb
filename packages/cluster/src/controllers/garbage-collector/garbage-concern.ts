import type { ApiServer, Entry, StorageEvent } from "@kaji/apiserver";
import { hasFinalizer, objectOf, parseApiVersion, parseJsonBytes } from "@kaji/core";
import type { KubeObject, OwnerReference } from "@kaji/core";
import { StoredObjects } from "../../admission/stored-objects.ts";
import { foregroundFinalizer, orphanFinalizer } from "./verdict.ts";

/** Where the definitions of kinds are stored: a change there may add or remove a kind. */
const definitions = /^\/registry\/(?:apiextensions\.k8s\.io\/customresourcedefinitions|apiregistration\.k8s\.io\/apiservices)\//;
const events = "/registry/events/";

/** Knows which changes give the garbage collector something to do, from what is stored. */
export class GarbageConcern {
  readonly #server: Pick<ApiServer, "kinds" | "registry">;
  /** Owners are asked for on every change of what they own: the lease of a node changes every ten seconds. */
  readonly #owners: StoredObjects;

  constructor(server: Pick<ApiServer, "kinds" | "registry">) {
    this.#server = server;
    this.#owners = new StoredObjects(server.registry.storage);
  }

  /** Whether an owner waits for its dependents: any change may be the one it waits for. */
  isWaiting(): boolean {
    return this.#server.registry.storage
      .list("/registry/")
      .entries.some((entry) => mentions(entry, "deletionTimestamp") && isLeaving(entry));
  }

  /** Whether a change leaves an object without an owner, or makes an owner wait for its dependents. */
  isConcerned(change: StorageEvent): boolean {
    if (definitions.test(change.key)) return true;
    if (change.type === "Delete") return this.#hasDependents(change.previous);
    const { entry } = change;
    if (mentions(entry, "deletionTimestamp") && isLeaving(entry)) return true;
    return mentions(entry, "ownerReferences") && !this.#hasAllOwners(entry);
  }

  #hasAllOwners(entry: Entry): boolean {
    const { ownerReferences = [], namespace } = objectOfEntry(entry).metadata;
    return ownerReferences.every((reference) => this.#isThere(reference, namespace));
  }

  #isThere({ apiVersion, kind: kindName, name, uid }: OwnerReference, namespace: string | undefined): boolean {
    const { kinds } = this.#server;
    const { group } = parseApiVersion(apiVersion);
    const kind = kinds.kinds.find((each) => each.group === group && each.kind === kindName);
    if (kind === undefined) return false;
    const owner = this.#owners.get(kind.storagePrefix + (kind.scope === "Namespaced" ? `${namespace ?? ""}/${name}` : name));
    return owner?.metadata.uid === uid;
  }

  #hasDependents(gone: Entry): boolean {
    const { uid } = objectOfEntry(gone).metadata;
    if (uid === undefined || gone.key.startsWith(events)) return false;
    return this.#server.registry.storage
      .list("/registry/")
      .entries.some(
        (entry) =>
          !entry.key.startsWith(events) &&
          mentions(entry, uid) &&
          (objectOfEntry(entry).metadata.ownerReferences ?? []).some((reference) => reference.uid === uid),
      );
  }
}

/** Whether an object has a finalizer that only the garbage collector removes. */
function isLeaving(entry: Entry): boolean {
  const object = objectOfEntry(entry);
  return (
    object.metadata.deletionTimestamp !== undefined && [foregroundFinalizer, orphanFinalizer].some((each) => hasFinalizer(object, each))
  );
}

function mentions({ bytes }: Entry, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
}

function objectOfEntry({ bytes }: Entry): KubeObject {
  return objectOf(parseJsonBytes(bytes));
}
