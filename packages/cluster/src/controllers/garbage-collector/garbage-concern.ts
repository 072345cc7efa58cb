import type { ApiServer, Entry, StorageEvent } from "@kaji/apiserver";
import { hasFinalizer, objectOf, parseApiVersion, parseJsonBytes } from "@kaji/core";
import type { KubeObject, OwnerReference } from "@kaji/core";
import { foregroundFinalizer, orphanFinalizer } from "./verdict.ts";

/** Where the definitions of kinds are stored: a change there may add or remove a kind. */
const definitions = /^\/registry\/(?:apiextensions\.k8s\.io\/customresourcedefinitions|apiregistration\.k8s\.io\/apiservices)\//;
const events = "/registry/events/";

/**
 * Knows which changes give the garbage collector something to do, from what is stored. It has to be asked of every change, up to the first that does: until then
 * no object is without an owner that it had when it was looked at.
 */
export class GarbageConcern {
  readonly #server: Pick<ApiServer, "kinds" | "registry">;
  /** Who owns an object, as it is written there, by the object's key; all of them are there. Most changes are of something else. */
  readonly #owners = new Map<string, string>();
  /** The uids of objects that own others, by key. */
  readonly #uids = new Map<string, string>();

  constructor(server: Pick<ApiServer, "kinds" | "registry">) {
    this.#server = server;
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
    if (change.type === "Delete") {
      this.#owners.delete(change.key);
      this.#uids.delete(change.key);
      return this.#hasDependents(change.previous);
    }
    const { entry } = change;
    if (mentions(entry, "deletionTimestamp") && isLeaving(entry)) return true;
    return !this.#hasAllOwners(entry);
  }

  #hasAllOwners(entry: Entry): boolean {
    if (!mentions(entry, "ownerReferences")) return true;
    const owners = ownersText(entry);
    if (owners !== undefined && this.#owners.get(entry.key) === owners) return true;
    const { ownerReferences = [], namespace } = objectOfEntry(entry).metadata;
    const hasAll = ownerReferences.every((reference) => this.#isThere(reference, namespace));
    if (hasAll && owners !== undefined && ownerReferences.length > 0) this.#owners.set(entry.key, owners);
    return hasAll;
  }

  #isThere({ apiVersion, kind: kindName, name, uid }: OwnerReference, namespace: string | undefined): boolean {
    const { kinds } = this.#server;
    const { group } = parseApiVersion(apiVersion);
    const kind = kinds.kinds.find((each) => each.group === group && each.kind === kindName);
    if (kind === undefined) return false;
    return this.#uidAt(kind.storagePrefix + (kind.scope === "Namespaced" ? `${namespace ?? ""}/${name}` : name)) === uid;
  }

  /** An object keeps its uid for as long as it is there. */
  #uidAt(key: string): string | undefined {
    const known = this.#uids.get(key);
    if (known !== undefined) return known;
    const entry = this.#server.registry.storage.get(key);
    const uid = entry === undefined ? undefined : objectOfEntry(entry).metadata.uid;
    if (uid !== undefined) this.#uids.set(key, uid);
    return uid;
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
  return bufferOf(bytes).includes(text);
}

/**
 * The first owner references that are written there, usually. Metadata are stored before all else but the type, and have no other list of that name in them: where
 * an object has owners, these are they.
 */
function ownersText({ bytes }: Entry): string | undefined {
  const buffer = bufferOf(bytes);
  const start = buffer.indexOf('"ownerReferences":[');
  if (start < 0) return undefined;
  let isInString = false;
  for (let at = start + '"ownerReferences":'.length; at < buffer.length; at++) {
    const byte = buffer[at];
    if (byte === quote) isInString = !isInString;
    else if (byte === backslash) at++;
    else if (byte === closeBracket && !isInString) return buffer.toString("latin1", start, at);
  }
  return undefined;
}

const [quote, backslash, closeBracket] = [0x22, 0x5c, 0x5d];

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function objectOfEntry({ bytes }: Entry): KubeObject {
  return objectOf(parseJsonBytes(bytes));
}
