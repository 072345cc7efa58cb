import { formatApiVersion, parseJson, stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Kind, KindVersion } from "../kind.ts";

const encoder = new TextEncoder();

/** Something kept in storage: the bytes of an object, and the revision that wrote them. */
export interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly modRevision: number;
}

/**
 * Between the bytes in storage and the objects that one version of a kind serves.
 * Objects already kept in that version, and written under its present schema, are served as the bytes they are.
 */
export class VersionCodec {
  readonly #version: KindVersion;
  readonly #storedAsServed: boolean;

  constructor(kind: Kind, version: KindVersion) {
    this.#version = version;
    this.#storedAsServed = kind.storageVersion === formatApiVersion({ group: kind.group, version: version.version });
  }

  /** The object in this version. */
  decode(stored: StoredBytes): DynamicObject {
    const parsed = parseObject(stored.bytes);
    return this.#servesBytes(stored) ? parsed : this.#version.fromStorage(parsed);
  }

  /** The JSON of the object in this version. */
  serve(stored: StoredBytes): Uint8Array {
    return this.#servesBytes(stored) ? stored.bytes : encodeObject(this.decode(stored));
  }

  /** The bytes to keep for an object of this version, once its revision is known. */
  encode(object: DynamicObject, revision: number): Uint8Array {
    return encodeObject(atRevision(this.#storedAsServed ? object : this.#version.toStorage(object), revision));
  }

  /** An object of this version as it would come back from storage: what is kept in another version may lose something on the way. */
  asKept(object: DynamicObject): DynamicObject {
    return this.#storedAsServed ? object : this.#version.fromStorage(this.#version.toStorage(object));
  }

  #servesBytes(stored: StoredBytes): boolean {
    return this.#storedAsServed && !this.#isOutdated(stored);
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
  return encoder.encode(stringifyJson({ kind, apiVersion, metadata, ...rest }));
}

function parseObject(bytes: Uint8Array): DynamicObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return parseJson(text) as unknown as DynamicObject;
}
