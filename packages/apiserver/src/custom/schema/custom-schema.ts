import { isJsonObject, jsonOf, objectOf } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { DecodeError } from "../../object-schema.ts";
import type { Decoded, ObjectSchema } from "../../object-schema.ts";
import { prunedDefaults } from "./default-pruning.ts";
import { applyDefaults, dropNulls } from "./defaulting.ts";
import { coerceEmbedded } from "./embedded-objects.ts";
import { coerceMetadata } from "./metadata-coercion.ts";
import type { CoercedMetadata } from "./metadata-coercion.ts";
import { pruneObject } from "./pruning.ts";
import { StructuralNode } from "./structural-node.ts";
import type { JsonSchemaProps } from "./structural-schema.ts";

/** The shape of the objects of a custom kind in one version. It has no protobuf form, and no strategy for strategic merge patches. */
export class CustomSchema implements ObjectSchema {
  readonly namesType = true;
  readonly node: StructuralNode;

  constructor(schema: JsonSchemaProps) {
    this.node = new StructuralNode(prunedDefaults(schema));
  }

  /** Reads an object: its type and metadata as on every kind, the rest by the schema, which drops what it does not know. */
  decode(value: JsonValue, live?: DynamicObject): Decoded {
    return this.#read(value, live, (object) => dropNulls(object, this.node));
  }

  /** Nulls that were applied, or left where an apply took away all there was, stay: validation refuses those that may not be. */
  readonly decodeApplied = (value: JsonValue, live?: DynamicObject): Decoded => this.#read(value, live, (object) => object);

  /** Storage keeps none of the nulls that a client's object would not have. */
  readonly kept = (object: DynamicObject): DynamicObject => objectOf(dropNulls(jsonOf(object), this.node));

  #read(value: JsonValue, live: DynamicObject | undefined, treatNulls: (object: JsonObject) => JsonObject): Decoded {
    if (!isJsonObject(value)) throw new DecodeError("an object is expected");
    const pruned = pruneObject(value, this.node);
    const embedded = coerceEmbedded(treatNulls(pruned.value), this.node);
    const { metadata, unknownFields } = metadataOf(value, live);
    const object: JsonObject = { ...embedded.value, ...typeOf(value), metadata };
    return {
      object: objectOf(object),
      unknownFields: [...unknownFields, ...pruned.unknownFields, ...embedded.unknownFields],
    };
  }

  /** Fills in what the client left out and the schema has a default for. */
  readonly default = (object: DynamicObject): DynamicObject => {
    return objectOf(applyDefaults(jsonOf(object), this.node));
  };
}

/** Metadata that come from storage have been read before. */
function metadataOf({ metadata = null }: JsonObject, live: DynamicObject | undefined): CoercedMetadata {
  const known = live === undefined ? undefined : jsonOf(live)["metadata"];
  return isJsonObject(metadata) && metadata === known ? { metadata, unknownFields: [] } : coerceMetadata(metadata, "metadata");
}

/** Type as given, whatever the schema says of it. */
function typeOf({ kind, apiVersion }: JsonObject): JsonObject {
  return { ...(kind === undefined ? {} : { kind }), ...(apiVersion === undefined ? {} : { apiVersion }) };
}
