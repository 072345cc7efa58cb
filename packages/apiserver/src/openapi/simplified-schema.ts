import { additionalOf, itemsOf, propertiesOf } from "../custom/schema/structural-schema.ts";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";

/**
 * A structural schema without what OpenAPI v2 cannot say or its clients misread. What may be null or hold unknown fields becomes a
 * value of any type, since kubectl would check it too strictly otherwise.
 */
export function simplified(schema: JsonSchemaProps): JsonSchemaProps {
  const {
    allOf: _allOf,
    anyOf: _anyOf,
    oneOf: _oneOf,
    not: _not,
    nullable = false,
    type,
    properties: _properties,
    items: _items,
    required: _required,
    ...rest
  } = schema;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isVague = nullable || isOpen;
  const items = isVague ? undefined : itemsOf(schema);
  const properties = isVague ? [] : propertiesOf(schema);
  const additional = additionalOf(schema);
  const required = requiredIn(schema, properties, additional);
  const isTyped = type !== undefined && !nullable && !(type === "array" && items === undefined) && !(type === "object" && isOpen);
  return {
    ...rest,
    ...(isTyped ? { type } : {}),
    ...(required.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: simplified(items) }),
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties.map(([name, property]) => [name, simplified(property)])) }),
    ...(additional === undefined ? {} : { additionalProperties: simplified(additional) }),
  };
}

/** What may be null may as well be absent. */
function requiredIn(
  { required = [] }: JsonSchemaProps,
  properties: readonly (readonly [string, JsonSchemaProps])[],
  additional: JsonSchemaProps | undefined,
): readonly string[] {
  if (additional?.nullable === true) return [];
  const nullable = new Set(properties.filter(([, property]) => property.nullable === true).map(([name]) => name));
  return required.filter((name) => !nullable.has(name));
}
