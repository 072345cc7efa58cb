import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { DecodeError } from "../../object-schema.ts";
import { coerceEmbedded } from "./embedded-objects.ts";
import { coerceMetadata } from "./metadata-coercion.ts";
import { pruneValue } from "./pruning.ts";
import { StructuralNode } from "./structural-node.ts";
import { additionalOf, itemsOf, propertiesOf } from "./structural-schema.ts";
import type { JsonSchemaProps } from "./structural-schema.ts";

/** The schema with defaults as they would come out of a request: without unknown fields, also in the metadata of embedded objects. */
export function prunedDefaults(schema: JsonSchemaProps): JsonSchemaProps {
  return withPrunedDefaults(schema, undefined);
}

/** Turns a value that stands inside of metadata into what is left of it there. */
type InMetadata = (value: JsonValue) => JsonValue | undefined;

function withPrunedDefaults(schema: JsonSchemaProps, inMetadata: InMetadata | undefined): JsonSchemaProps {
  const { default: given, ...rest } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const value = given === undefined || given === null ? undefined : prunedDefault(given, schema, inMetadata);
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  const below = (name: string): InMetadata | undefined => {
    if (isEmbedded) return name === "metadata" ? (metadata) => coerceMetadata(metadata, "metadata").metadata : undefined;
    return inMetadata === undefined ? undefined : (focus) => fieldOf(inMetadata({ [name]: focus }), name);
  };
  const itemInMetadata: InMetadata | undefined = inMetadata === undefined ? undefined : (focus) => firstOf(inMetadata([focus]));
  return {
    ...rest,
    ...(value === undefined ? {} : { default: value }),
    ...(items === undefined ? {} : { items: withPrunedDefaults(items, itemInMetadata) }),
    ...(additional === undefined ? {} : { additionalProperties: withPrunedDefaults(additional, below("*")) }),
    ...(schema.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(propertiesOf(schema).map(([name, property]) => [name, withPrunedDefaults(property, below(name))])),
        }),
  };
}

/** A default that cannot be read is none; definitions with such are refused, so it takes damaged data to have one. */
function prunedDefault(value: JsonValue, schema: JsonSchemaProps, inMetadata: InMetadata | undefined): JsonValue | undefined {
  try {
    if (inMetadata !== undefined) return inMetadata(value);
    const node = new StructuralNode(schema);
    return coerceEmbedded(pruneValue(value, node), node).value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) ? value[0] : undefined;
}
