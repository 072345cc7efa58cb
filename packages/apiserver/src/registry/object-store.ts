import { RecentMap } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Kind, KindVersion } from "../kind.ts";
import type { Conflict, Entry, PutResult, Storage } from "../storage/storage.ts";
import { withoutManagers } from "../apply/object-managers.ts";
import { ObjectTooLarge, refuseTooLarge } from "./largest-object.ts";
import { ServedObject } from "./served-object.ts";
import { VersionCodec, atRevision, encodeObject } from "./version-codec.ts";
import type { Keepable } from "./version-codec.ts";
import { confirm } from "./write-guard.ts";
import type { WriteGuard } from "./write-guard.ts";

/** How a write ended: done, or another write came first. */
export type WriteResult =
  | { readonly type: "Stored"; readonly served: ServedObject }
  | { readonly type: "Conflict"; readonly current: ServedObject | undefined };

/** Whether the record of who owns which field may be left out of an object that is too large with it. An apply could not do without. */
export type OwnersKept = "Always" | "IfSmall";

/** How an object is stored. */
export interface PutOptions {
  /** Default `IfSmall`. */
  readonly owners?: OwnersKept | undefined;
  /** What must still hold when it is stored. */
  readonly guards?: readonly WriteGuard[];
}

/** The objects of a kind in one of its versions, as they are in storage. */
export class ObjectStore {
  readonly codec: VersionCodec;
  readonly #storage: Storage;
  readonly #kind: Kind;
  /** What was written last, by the revision that wrote it, so that the next write need not parse it: who writes an object often writes it again soon. */
  readonly #recent = new RecentMap<number, DynamicObject>(64);

  constructor(storage: Storage, kind: Kind, version: KindVersion) {
    this.#storage = storage;
    this.#kind = kind;
    this.codec = new VersionCodec(kind, version);
  }

  /** The path in storage of a namespace's objects, or of all. */
  path(namespace: string | undefined): string {
    const { storagePrefix } = this.#kind;
    return namespace === undefined ? storagePrefix : `${storagePrefix}${namespace}/`;
  }

  /** The key of one object. */
  key(namespace: string | undefined, name: string): string {
    return this.path(namespace) + name;
  }

  /** Whether there is such an object now. */
  has(namespace: string | undefined, name: string): boolean {
    return this.#storage.get(this.key(namespace, name)) !== undefined;
  }

  /** The object as it is now, of a kind without remote conversion. */
  get(namespace: string | undefined, name: string): ServedObject | undefined {
    const entry = this.#storage.get(this.key(namespace, name));
    return entry === undefined ? undefined : this.served(entry);
  }

  /** The object of an entry, of a kind that is not converted by somebody else. */
  served(entry: Entry): ServedObject {
    return this.#known(entry) ?? ServedObject.fromStorage(entry, this.codec);
  }

  /** The object as it is now. */
  async read(namespace: string | undefined, name: string): Promise<ServedObject | undefined> {
    const entry = this.#storage.get(this.key(namespace, name));
    return entry === undefined ? undefined : this.#load(entry);
  }

  /** Stores an object that is not there yet. */
  create(namespace: string | undefined, object: DynamicObject, options?: PutOptions): Promise<WriteResult> {
    return this.#put(this.key(namespace, object.metadata.name), 0, object, options);
  }

  /** Stores an object in place of the one that was read. */
  replace(namespace: string | undefined, live: ServedObject, object: DynamicObject, options?: PutOptions): Promise<WriteResult> {
    return this.#put(this.key(namespace, object.metadata.name), live.modRevision, object, options);
  }

  /** Removes the object that was read. Answers with it, as of the revision that removed it. */
  async remove(namespace: string | undefined, live: ServedObject): Promise<WriteResult> {
    const result = await this.#storage.delete(this.key(namespace, live.object.metadata.name), live.modRevision);
    if (result.type === "Conflict") return this.#conflict(result);
    return { type: "Stored", served: ServedObject.of(atRevision(live.object, result.revision)) };
  }

  async #put(key: string, expectedRevision: number, object: DynamicObject, options: PutOptions = {}): Promise<WriteResult> {
    const { owners = "IfSmall", guards = [] } = options;
    const keepable = await this.codec.keepable(object);
    // Objects are read on the assumption that all that came after the last change of their kind were written by the kind as it is since.
    const { definition } = this.#kind;
    for (let change; (change = confirm(definition === undefined ? guards : [definition, ...guards])) !== undefined;) await change;
    let revision = 0;
    let result: PutResult;
    try {
      result = await this.#storage.put(key, expectedRevision, (next) => this.#encode(keepable, (revision = next)));
    } catch (error) {
      // Another write takes the revision of one that failed.
      this.#recent.delete(revision);
      const mayForget = error instanceof ObjectTooLarge && owners === "IfSmall";
      if (mayForget) return this.#put(key, expectedRevision, withoutManagers(object), { ...options, owners: "Always" });
      throw error;
    }
    if (result.type === "Conflict") return this.#conflict(result);
    const { entry } = result;
    const written = this.#recent.get(revision) ?? atRevision(await this.codec.fromKeepable(keepable), revision);
    this.#recent.delete(expectedRevision);
    this.#recent.set(revision, written);
    return { type: "Stored", served: ServedObject.asWritten(written, entry, this.codec) };
  }

  /** What is kept as it is served is known from now on: those who watch are told of the write before the writer is. */
  #encode({ stored }: Keepable, revision: number): Uint8Array {
    const object = atRevision(stored, revision);
    const bytes = encodeObject(object);
    refuseTooLarge(this.#kind, bytes);
    if (this.codec.keepsAsServed) this.#recent.set(revision, object);
    return bytes;
  }

  async #conflict({ current }: Conflict): Promise<WriteResult> {
    return { type: "Conflict", current: current === undefined ? undefined : await this.#load(current) };
  }

  #known(entry: Entry): ServedObject | undefined {
    const object = this.#recent.get(entry.modRevision);
    return object === undefined ? undefined : ServedObject.asWritten(object, entry, this.codec);
  }

  async #load(entry: Entry): Promise<ServedObject | undefined> {
    const known = this.#known(entry);
    if (known !== undefined) return known;
    const [served] = await ServedObject.load([entry], this.codec);
    return served;
  }
}
