import type { DynamicObject, JsonValue, PatchSchema } from "@kaji/core";

/** The shape of a kind's objects: turns what a client sent into an object, and says what it did not understand. */
export interface ObjectSchema {
  /**
   * Reads a client's JSON: checks types, normalises values and drops what the schema does not know.
   * Throws `DecodeError` when a value has the wrong type. Parts of it that are the very parts of `live`, an object from storage, have been read
   * before, and need not be read again.
   */
  decode(value: JsonValue, live?: DynamicObject): Decoded;
  /** Reads what an apply made of an object, where that is not read as what a client sent. Default `decode`. */
  readonly decodeApplied?: (value: JsonValue, live?: DynamicObject) => Decoded;
  /**
   * Whether objects say what they are, as those of kinds without a Go type must: nothing is assumed of one that does not, and one that says it is
   * something else is refused when it is validated. Default false.
   */
  readonly namesType?: boolean;
  /** Reads a Kubernetes protobuf message; absent for kinds that have no such form. */
  readonly decodeProtobuf?: (bytes: Uint8Array) => DynamicObject;
  /** An object as JSON shows it: without the empty lists and maps that are not told from none there. Default as it is. */
  readonly shown?: (object: DynamicObject) => DynamicObject;
  /** An object as storage gives it back, which tells no empty list or map from none. Default as it is. */
  readonly kept?: (object: DynamicObject) => DynamicObject;
  /** An object from storage with the empty lists and maps of what shall replace it, for comparisons that do not tell them from none. */
  readonly matched?: (before: DynamicObject, present: DynamicObject) => DynamicObject;
  /** How lists merge in a strategic merge patch; absent for kinds that refuse such patches. */
  readonly patchSchema?: PatchSchema;
}

/** An object as the schema understands it, and the paths of the fields it dropped. */
export interface Decoded {
  readonly object: DynamicObject;
  readonly unknownFields: readonly string[];
}

/** A value that does not fit the schema, in the words of the real server. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** The same in the words for what a strategic merge patch made, where they are other words. */
  readonly conversion: string | undefined;

  constructor(message: string, { conversion, cause }: { readonly conversion?: string; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.conversion = conversion;
  }
}
