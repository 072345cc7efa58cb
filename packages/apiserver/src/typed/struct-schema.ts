import { jsonOf, objectOf } from "@kaji/core";
import { ProtobufDecoder, ProtobufError } from "@kaji/core/protobuf";
import type { ProtobufTable } from "@kaji/core/protobuf";
import type { DynamicObject, GroupVersionKind, JsonObject, JsonValue, PatchSchema } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import type { Decoded, ObjectSchema } from "../object-schema.ts";
import { EmptyParts } from "./empty-parts.ts";
import { StructDecoder } from "./struct-decoder.ts";
import { StructPlans } from "./struct-plan.ts";

/** Makes schemas of kinds that are Go structs upstream, from a table of those structs. */
export class StructSchemas {
  readonly #table: ProtobufTable;
  readonly #json: StructDecoder;
  readonly #empties: EmptyParts;
  readonly #protobuf: ProtobufDecoder;

  constructor(table: ProtobufTable) {
    const plans = new StructPlans(table);
    this.#table = table;
    this.#json = new StructDecoder(plans);
    this.#empties = new EmptyParts(plans);
    this.#protobuf = new ProtobufDecoder(table);
  }

  /** The schema of a kind; `patchSchema` is given for kinds that accept strategic merge patches. */
  schemaOf(kind: GroupVersionKind, patchSchema?: PatchSchema): ObjectSchema {
    let known: string | undefined;
    const struct = (): string => (known ??= this.#structOf(kind));
    return {
      decode: (value, live) => this.#decode(value, struct(), live),
      shown: (object) => objectOf(this.shown(jsonOf(object), struct())),
      kept: (object) => objectOf(this.kept(jsonOf(object), struct())),
      matched: (before, present) => objectOf(this.#empties.matched(jsonOf(before), jsonOf(present), struct())),
      decodeProtobuf: (bytes) => this.#decodeProtobuf(bytes, kind),
      ...(patchSchema === undefined ? {} : { patchSchema }),
    };
  }

  /** Asked when there is something to read or write: the table is parsed then, and no sooner. */
  #structOf(kind: GroupVersionKind): string {
    const struct = this.#table.structOf(kind);
    if (struct === undefined) throw new TypeError(`the table has no struct for ${kind.kind} in ${kind.group}/${kind.version}`);
    return struct;
  }

  /** A value of a struct as JSON shows it: without the empty lists and maps that are not told from none there. */
  shown(value: JsonObject, struct: string): JsonObject {
    return this.#empties.removed(value, struct, "json");
  }

  /** A value of a struct as storage gives it back, which tells no empty list or map from none. */
  kept(value: JsonObject, struct: string): JsonObject {
    return this.#empties.removed(value, struct, "storage");
  }

  #decode(value: JsonValue, struct: string, live: DynamicObject | undefined): Decoded {
    const unknownFields: string[] = [];
    const object = this.#json.decode(value, struct, { unknownFields }, live);
    return { object: objectOf(object), unknownFields };
  }

  #decodeProtobuf(bytes: Uint8Array, kind: GroupVersionKind): DynamicObject {
    try {
      return objectOf(this.#protobuf.decode(bytes, kind));
    } catch (error) {
      if (error instanceof ProtobufError) throw new DecodeError(error.message, { cause: error });
      throw error;
    }
  }
}
