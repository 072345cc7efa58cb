import type { JsonValue } from "@kaji/core";

/**
 * A schema as a CustomResourceDefinition carries it (`JSONSchemaProps`): what each field is, and conditions on its value.
 * A definition that was accepted holds only structural ones, without the fields marked here as refused.
 */
export interface JsonSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly nullable?: boolean;
  readonly enum?: readonly JsonValue[];

  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;

  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;

  readonly items?: JsonSchemaProps | readonly JsonSchemaProps[];
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;

  readonly properties?: SchemaMap;
  readonly additionalProperties?: JsonSchemaProps | boolean;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly minProperties?: number;

  readonly allOf?: readonly JsonSchemaProps[];
  readonly anyOf?: readonly JsonSchemaProps[];
  readonly oneOf?: readonly JsonSchemaProps[];
  readonly not?: JsonSchemaProps;

  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];

  /** Refused, as are the following. */
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly additionalItems?: JsonSchemaProps | boolean;
  readonly patternProperties?: SchemaMap;
  readonly definitions?: SchemaMap;
  readonly dependencies?: Readonly<Record<string, JsonSchemaProps | readonly string[]>>;
}

/** Schemas by the name of a field. */
export type SchemaMap = Readonly<Record<string, JsonSchemaProps>>;

/** A condition in CEL. */
export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The schema of the items of a list; undefined where there is none, or one for each position. */
export function itemsOf({ items }: JsonSchemaProps): JsonSchemaProps | undefined {
  return isSchema(items) ? items : undefined;
}

/** The schema of entries that are not declared; undefined where there is none, or just a word on whether there may be any. */
export function additionalOf({ additionalProperties }: JsonSchemaProps): JsonSchemaProps | undefined {
  return isSchema(additionalProperties) ? additionalProperties : undefined;
}

/** The declared fields, each with its schema. */
export function propertiesOf({ properties = {} }: JsonSchemaProps): readonly (readonly [string, JsonSchemaProps])[] {
  return Object.entries(properties);
}

/** The schema of a declared field, never one of the prototype of `properties`. */
export function propertyOf({ properties }: JsonSchemaProps, name: string): JsonSchemaProps | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Every schema within a schema, itself first. */
export function* schemasIn(schema: JsonSchemaProps): Generator<JsonSchemaProps> {
  yield schema;
  for (const part of partsOf(schema)) yield* schemasIn(part);
}

/** Whether a schema has rules, or anything within it. */
export function hasRules(schema: JsonSchemaProps): boolean {
  return schemasIn(schema).some((part) => (part["x-kubernetes-validations"] ?? []).length > 0);
}

function partsOf(schema: JsonSchemaProps): readonly JsonSchemaProps[] {
  const {
    items,
    allOf = [],
    anyOf = [],
    oneOf = [],
    not,
    properties = {},
    patternProperties = {},
    definitions = {},
    dependencies = {},
  } = schema;
  const single = [not, schema.additionalProperties, schema.additionalItems, ...Object.values(dependencies)].filter(isSchema);
  const listed = items === undefined ? [] : isSchema(items) ? [items] : items;
  const named = [properties, patternProperties, definitions].flatMap((map) => Object.values(map));
  return [...listed, ...allOf, ...anyOf, ...oneOf, ...single, ...named];
}

function isSchema(value: JsonSchemaProps | readonly (JsonSchemaProps | string)[] | boolean | undefined): value is JsonSchemaProps {
  return typeof value === "object" && !Array.isArray(value);
}
