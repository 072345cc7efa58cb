import type { DynamicObject } from "@kaji/core";
import { encodeObject } from "./version-codec.ts";
import type { StoredBytes, VersionCodec } from "./version-codec.ts";

/**
 * An object in the version a client asked for, as a value and as JSON.
 * Only one of the two is at hand at first; the other is made on first use, once.
 */
export class ServedObject {
  #object: DynamicObject | undefined;
  #bytes: Uint8Array | undefined;
  readonly #stored: StoredBytes | undefined;
  readonly #codec: VersionCodec | undefined;

  private constructor(given: { readonly object?: DynamicObject; readonly stored?: StoredBytes; readonly codec?: VersionCodec }) {
    this.#object = given.object;
    this.#stored = given.stored;
    this.#codec = given.codec;
  }

  /** What is in storage, where conversion may be remote: all of it in one call. */
  static async load(stored: readonly StoredBytes[], codec: VersionCodec): Promise<readonly ServedObject[]> {
    if (!codec.isRemote) return stored.map((each) => ServedObject.fromStorage(each, codec));
    const objects = await codec.decodeAll(stored);
    return stored.map((each, index) => new ServedObject({ object: objects[index] ?? codec.decode(each), stored: each, codec }));
  }

  /** What is in storage, decoded on first use. */
  static fromStorage(stored: StoredBytes, codec: VersionCodec): ServedObject {
    return new ServedObject({ stored, codec });
  }

  /** What was just written: the value is known already. */
  static asWritten(object: DynamicObject, stored: StoredBytes, codec: VersionCodec): ServedObject {
    return new ServedObject({ object, stored, codec });
  }

  /** What is not, or no longer, in storage. */
  static of(object: DynamicObject): ServedObject {
    return new ServedObject({ object });
  }

  /** 0 when the object is not in storage. */
  get modRevision(): number {
    return this.#stored?.modRevision ?? 0;
  }

  /** Whether storing it as it is would change what is in storage. */
  get isKeptAsFormerly(): boolean {
    return this.#stored !== undefined && this.#codec?.isKeptAsFormerly(this.#stored) === true;
  }

  get object(): DynamicObject {
    this.#object ??= this.#decoded();
    return this.#object;
  }

  get bytes(): Uint8Array {
    const isServed = this.#stored !== undefined && this.#codec?.servesBytes(this.#stored) === true;
    return (this.#bytes ??= isServed && this.#stored !== undefined ? this.#stored.bytes : encodeObject(this.object));
  }

  #decoded(): DynamicObject {
    if (this.#stored === undefined || this.#codec === undefined) throw new TypeError("a served object has a value or is in storage");
    return this.#codec.decode(this.#stored);
  }
}
