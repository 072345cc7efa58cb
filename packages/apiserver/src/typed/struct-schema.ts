import { objectOf } from "@kaji/core";
import { ProtobufDecoder, ProtobufError } from "@kaji/core/protobuf";
import type { ProtobufTable } from "@kaji/core/protobuf";
import type { DynamicObject, GroupVersionKind, JsonValue, PatchSchema } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import type { Decoded, ObjectSchema } from "../object-schema.ts";
import { StructDecoder } from "./struct-decoder.ts";
import { StructPlans } from "./struct-plan.ts";

/** Makes schemas of kinds that are Go structs upstream, from a table of those structs. */
export class StructSchemas {
  readonly #table: ProtobufTable;
  readonly #json: StructDecoder;
  readonly #protobuf: ProtobufDecoder;

  constructor(table: ProtobufTable) {
    this.#table = table;
    this.#json = new StructDecoder(new StructPlans(table));
    this.#protobuf = new ProtobufDecoder(table);
  }

  /** The schema of a kind; `patchSchema` is given for kinds that accept strategic merge patches. */
  schemaOf(kind: GroupVersionKind, patchSchema?: PatchSchema): ObjectSchema {
    const struct = this.#table.structOf(kind);
    if (struct === undefined) throw new TypeError(`the table has no struct for ${kind.kind} in ${kind.group}/${kind.version}`);
    return {
      decode: (value) => this.#decode(value, struct),
      decodeProtobuf: (bytes) => this.#decodeProtobuf(bytes, kind),
      ...(patchSchema === undefined ? {} : { patchSchema }),
    };
  }

  #decode(value: JsonValue, struct: string): Decoded {
    const unknownFields: string[] = [];
    const object = this.#json.decode(value, struct, { unknownFields });
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
