import { formatApiVersion, objectOf, parseJsonBytes, stringifyJson, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Kind, KindVersion, RemoteConversion } from "../kind.ts";

/** Something kept in storage: the bytes of an object, and the revision that wrote them. */
export interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly modRevision: number;
}

/** An object on its way into storage, in the form in which it is kept. */
export interface Keepable {
  readonly stored: DynamicObject;
}

/**
 * Between the bytes in storage and the objects that one version of a kind serves.
 * Objects already kept in that version, and written under its present schema, are served as the bytes they are.
 */
export class VersionCodec {
  readonly #version: KindVersion;
  readonly #apiVersion: string;
  readonly #storageVersion: string;
  readonly #isStorageVersion: boolean;
  readonly #remote: RemoteConversion | undefined;

  constructor(kind: Kind, version: KindVersion) {
    this.#version = version;
    this.#apiVersion = formatApiVersion({ group: kind.group, version: version.version });
    this.#storageVersion = kind.storageVersion;
    this.#isStorageVersion = kind.storageVersion === this.#apiVersion;
    this.#remote = kind.remoteConversion;
  }

  /** Whether objects may need remote conversion, so that `decodeAll` must be waited for. */
  get isRemote(): boolean {
    return this.#remote !== undefined;
  }

  /** Whether objects of this version are kept as they are. */
  get keepsAsServed(): boolean {
    return this.#isStorageVersion && this.#version.mayBeKeptIncomplete !== true;
  }

  /** The object in this version. Where conversion is remote, it must be kept in this version. */
  decode(stored: StoredBytes): DynamicObject {
    const parsed = parseObject(stored.bytes);
    return this.servesBytes(stored) ? parsed : this.#version.fromStorage(parsed);
  }

  /** Objects in this version; those that need remote conversion go in as few calls as may be. */
  async decodeAll(stored: readonly StoredBytes[]): Promise<readonly DynamicObject[]> {
    const parsed = stored.map(({ bytes }) => ({ object: parseObject(bytes), size: bytes.byteLength }));
    const foreign = this.#remote === undefined ? [] : parsed.filter(({ object }) => object.apiVersion !== this.#apiVersion);
    if (this.#remote === undefined || foreign.length === 0) return stored.map((each) => this.decode(each));
    const answers: (readonly DynamicObject[])[] = [];
    for (const objects of callsFor(foreign)) answers.push(await this.#remote.fromStorage(objects, this.#version.version));
    const converted = answers.flat().values();
    return parsed.map(({ object }) => {
      const next = object.apiVersion === this.#apiVersion ? undefined : converted.next().value;
      return next ?? this.#version.fromStorage(object);
    });
  }

  /** Whether the JSON of an object in this version is just what is kept. */
  servesBytes(stored: StoredBytes): boolean {
    return this.keepsAsServed && !this.#isOutdated(stored);
  }

  /** Whether the object would be kept otherwise if it were written in this version: in another version, or with other fields since the schema has changed, or since this version does not know them. */
  isKeptAsFormerly(stored: StoredBytes): boolean {
    if (this.servesBytes(stored)) return false;
    const kept = parseObject(stored.bytes);
    if (kept.apiVersion !== this.#storageVersion) return true;
    return (this.#remote === undefined || this.#isStorageVersion) && !structuralEqual(this.#version.toStorage(this.decode(stored)), kept);
  }

  /** The form in which an object of this version is kept. */
  keepable(object: DynamicObject): Keepable | Promise<Keepable> {
    if (this.#isStorageVersion) return { stored: object };
    if (this.#remote === undefined) return { stored: this.#version.toStorage(object) };
    return this.#remote.toStorage(object).then((stored) => ({ stored }));
  }

  /** An object of this version as it would come back from storage: what is kept in another version may lose something on the way. */
  async asKept(object: DynamicObject): Promise<DynamicObject> {
    return this.keepsAsServed ? object : this.fromKeepable(await this.keepable(object));
  }

  /** What was made ready to be kept, in this version again. */
  fromKeepable({ stored }: Keepable): DynamicObject | Promise<DynamicObject> {
    if (this.keepsAsServed) return stored;
    if (this.#remote === undefined || this.#isStorageVersion) return this.#version.fromStorage(stored);
    return this.#remote.fromStorage([stored], this.#version.version).then(([object = stored]) => object);
  }

  /** Written before the schema changed, so it must be pruned and defaulted anew. */
  #isOutdated({ modRevision }: StoredBytes): boolean {
    return modRevision <= (this.#version.rewriteUpTo ?? -1);
  }
}

/** The same object as of another revision. */
export function atRevision(object: DynamicObject, revision: number): DynamicObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** The JSON of an object; type and metadata come first, whatever order they were given in. */
export function encodeObject(object: DynamicObject): Uint8Array {
  const { kind, apiVersion, metadata, ...rest } = object;
  return Buffer.from(stringifyJson({ kind, apiVersion, metadata, ...rest }));
}

/** Webhooks take no larger bodies than reviews have, which is somewhat more. */
const largestCall = 4 * 1024 * 1024;

/** Objects, in their order, as they go together in one call. */
function* callsFor(sized: readonly { readonly object: DynamicObject; readonly size: number }[]): Generator<readonly DynamicObject[], void> {
  let objects: DynamicObject[] = [];
  let callSize = 0;
  for (const { object, size } of sized) {
    if (objects.length > 0 && callSize + size > largestCall) {
      yield objects;
      [objects, callSize] = [[], 0];
    }
    objects.push(object);
    callSize += size;
  }
  yield objects;
}

function parseObject(bytes: Uint8Array): DynamicObject {
  return objectOf(parseJsonBytes(bytes));
}
