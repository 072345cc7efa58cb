import type { JsonValue } from "../json/json.ts";

/** The part of OpenAPI v3 in which a custom resource is described: a type for each field, and conditions on its value. */
export interface StructuralSchema {
  readonly type?: SchemaType;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly nullable?: true;
  readonly enum?: readonly JsonValue[];

  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;

  readonly minimum?: number;
  readonly exclusiveMinimum?: true;
  readonly maximum?: number;
  readonly exclusiveMaximum?: true;
  readonly multipleOf?: number;

  readonly items?: StructuralSchema;
  readonly minItems?: number;
  readonly maxItems?: number;

  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  /** What the entries of a map are; `true`: any single values, of objects among them the fields are dropped. */
  readonly additionalProperties?: StructuralSchema | true;
  readonly minProperties?: number;
  readonly maxProperties?: number;

  /** Further patterns of a string that already has one. */
  readonly allOf?: ReadonlyArray<{ readonly pattern: string }>;

  readonly "x-kubernetes-int-or-string"?: true;
  readonly "x-kubernetes-preserve-unknown-fields"?: true;
  readonly "x-kubernetes-embedded-resource"?: true;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/** The types of JSON, with integers apart. */
export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** A condition in CEL, as a schema carries it. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: RuleReason;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: true;
}

/** What a broken rule is reported as. Default `FieldValueInvalid`. */
export type RuleReason = "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";

/** The schema of one property, never one of the prototype of `properties`. */
export function propertyOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the field `name` of an object or the entry `name` of a map. */
export function fieldOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return propertyOf(schema, name) ?? entrySchema(schema);
}

/** The schema of the entries of a map; undefined of what is no map. */
export function entrySchema({ additionalProperties }: StructuralSchema): StructuralSchema | undefined {
  return additionalProperties === true ? {} : additionalProperties;
}

/** The schema of what a dotted path leads to. */
export function schemaAt(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  return path.split(".").reduce<StructuralSchema | undefined>((at, name) => at && fieldOf(at, name), schema);
}
