import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { referencePrefix } from "./definition-name.ts";

/** A schema in the form of v2. It loses its defaults, and what may be of several types is called a string. */
export function v2Schema(schema: JsonObject): JsonObject {
  const { default: _default, allOf, oneOf, $ref, properties, items, additionalProperties, ...rest } = schema;
  const [wrapped] = isJsonArray(allOf) ? allOf : [];
  const reference = $ref ?? (isJsonObject(wrapped) ? wrapped["$ref"] : undefined);
  return {
    ...rest,
    ...(typeof reference === "string" ? v2Reference(reference.slice(referencePrefix.length)) : {}),
    ...(oneOf === undefined ? {} : { type: "string" }),
    ...(properties === undefined ? {} : { properties: isJsonObject(properties) ? eachSchema(properties) : properties }),
    ...(items === undefined ? {} : { items: ifSchema(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: ifSchema(additionalProperties) }),
  };
}

/** A reference to a definition, as v2 writes it. */
export function v2Reference(name: string): { readonly $ref: string } {
  return { $ref: `#/definitions/${name}` };
}

function eachSchema(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, value = null]) => [name, ifSchema(value)]));
}

function ifSchema(value: JsonValue): JsonValue {
  return isJsonObject(value) ? v2Schema(value) : value;
}
