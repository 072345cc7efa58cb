import { jsonOf, objectAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { additionalOf, itemsOf, propertiesOf } from "../custom/schema/structural-schema.ts";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import { typeProperties } from "@kaji/core/serving";
import { objectMetadata } from "./object-properties.ts";

/** Which version of OpenAPI something is for. */
export type OpenApiForm = "v2" | "v3";

/** A structural schema as it is published: with what follows from Kubernetes' own extensions spelled out for those who do not know them. */
export function publishedSchema(schema: JsonSchemaProps, form: OpenApiForm): JsonObject {
  const { properties: _properties, items: _items, additionalProperties, default: fallback, ...rest } = schema;
  const [items, additional] = [itemsOf(schema), additionalOf(schema)];
  const properties = propertiesOf(schema).map(([name, property]) => [name, publishedSchema(property, form)] as const);
  const published: JsonObject = {
    ...jsonOf(rest),
    ...(form === "v3" ? alternatives(schema) : {}),
    default: fallback ?? undefined,
    items: items && publishedSchema(items, form),
    properties: properties.length === 0 ? undefined : Object.fromEntries(properties),
    additionalProperties: additional === undefined ? (additionalProperties as boolean | undefined) : publishedSchema(additional, form),
  };
  // A v2 document says nothing of what is inside an open object, lest clients take the rest of it for unknown.
  const isOpen = form === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true;
  return schema["x-kubernetes-embedded-resource"] === true && !isOpen ? withTypeAndMetadata(published, schema) : published;
}

/** An object of its own has what every object has. */
function withTypeAndMetadata(published: JsonObject, { required = [] }: JsonSchemaProps): JsonObject {
  const { properties } = published;
  return {
    ...published,
    required: [...new Set([...required, "kind", "apiVersion"])],
    properties: { ...objectAt(properties), ...typeProperties, metadata: objectMetadata },
  };
}

const integerOrString: readonly JsonObject[] = [{ type: "integer" }, { type: "string" }];

/** That a value is an integer or a string, unless the author has said it in one of the two ways that are allowed. */
function alternatives(schema: JsonSchemaProps): JsonObject {
  const { anyOf, allOf = [] } = schema;
  if (schema["x-kubernetes-int-or-string"] !== true || isIntegerOrString(anyOf) || isIntegerOrString(allOf[0]?.anyOf)) return {};
  if (anyOf === undefined) return { anyOf: integerOrString };
  return { allOf: [{ anyOf: integerOrString }, ...(allOf as readonly JsonValue[])] };
}

function isIntegerOrString(anyOf: readonly JsonSchemaProps[] | undefined): boolean {
  const [integer, string, ...more] = anyOf ?? [];
  return isOnlyType(integer, "integer") && isOnlyType(string, "string") && more.length === 0;
}

function isOnlyType(schema: JsonSchemaProps | undefined, type: string): boolean {
  return schema?.type === type && Object.keys(schema).length === 1;
}
