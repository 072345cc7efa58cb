import { ParseError, forbiddenField, invalidValue, required, structuralEqual } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { compileRe2 } from "../re2/re2.ts";
import { completenessErrors } from "./structural-completeness.ts";
import { additionalOf, itemsOf, propertiesOf, propertyOf, schemasIn } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/**
 * What keeps a schema from being structural: every field must have a type, and conditions on values must not say what there is.
 * Sorted by text, as the server does.
 */
export function validateStructural(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const errors = [...invariantErrors(schema, "root", path), ...completenessErrors(schema, path)];
  return errors.toSorted((left, right) => (textOf(left) < textOf(right) ? -1 : 1));
}

/** Why a schema cannot be looked at as a structural one at all; undefined when it can. */
export function structuralObstacle(schema: JsonSchemaProps): string | undefined {
  for (const part of schemasIn(schema)) {
    const [, name] = unsupported.find(([field]) => isSet(part[field])) ?? [];
    if (name !== undefined) return `OpenAPIV3Schema '${name}' is not supported`;
    if (part["x-kubernetes-preserve-unknown-fields"] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    if (Array.isArray(part.items) && part.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  return undefined;
}

const unsupported = [
  ["id", "id"],
  ["$schema", "schema"],
  ["$ref", "$ref"],
  ["patternProperties", "patternProperties"],
  ["dependencies", "dependencies"],
  ["additionalItems", "additionalItems"],
  ["definitions", "definitions"],
] as const;

/** Where a schema stands, which the words for a missing type depend on. */
type Level = "root" | "item" | "field";

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function invariantErrors(schema: JsonSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const { items, additionalProperties, type = "" } = schema;
  const itemSchema = itemsOf(schema);
  const additional = additionalOf(schema);
  const errors: FieldError[] = [];
  if (type === "array" && items === undefined) errors.push(required(path.child("items"), "must be specified"));
  if (itemSchema !== undefined) errors.push(...invariantErrors(itemSchema, "item", path.child("items")));
  for (const [name, property] of propertiesOf(schema))
    errors.push(...invariantErrors(property, "field", path.child("properties").key(name)));
  if (additionalProperties !== undefined && level === "root") {
    errors.push(forbiddenField(path.child("additionalProperties"), "must not be used at the root"));
  }
  if (additional !== undefined) errors.push(...invariantErrors(additional, "field", path.child("additionalProperties")));
  const skipsFirstAllOf = isIntOrString(schema.allOf?.[0]?.anyOf);
  return [
    ...errors,
    ...extensionErrors(schema, path),
    ...conditionErrors(schema, path, { skipsAnyOf: isIntOrString(schema.anyOf), skipsFirstAllOf }),
    ...typeErrors(schema, level, path),
    ...objectErrors(schema, level, path),
  ];
}

function extensionErrors(schema: JsonSchemaProps, path: FieldPath): FieldError[] {
  if (schema["x-kubernetes-int-or-string"] !== true) return [];
  return (["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const).flatMap((name) =>
    schema[name] === true ? [invalidValue(path.child(name), true, "must be false if x-kubernetes-int-or-string is true")] : [],
  );
}

function typeErrors(schema: JsonSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const { type = "", additionalProperties } = schema;
  const typePath = path.child("type");
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const mayBeAny = schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const errors: FieldError[] = [];
  if (isEmbedded && type !== "object") {
    const rule = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(typePath, rule) : invalidValue(typePath, type, rule));
  } else if (type === "" && !mayBeAny) {
    errors.push(required(typePath, missingType[level]));
  }
  if (isEmbedded && additionalProperties !== undefined) {
    errors.push(forbiddenField(path.child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (level === "root" && type !== "" && type !== "object") errors.push(invalidValue(typePath, type, "must be object at the root"));
  return errors;
}

/** Type and metadata of an object can be restricted little: the server knows what they are. */
function objectErrors(schema: JsonSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const isObject = level === "root" || isEmbedded;
  const errors: FieldError[] = [];
  for (const name of isObject ? ["kind", "apiVersion"] : []) {
    const property = propertyOf(schema, name);
    if (property === undefined || property.type === "string") continue;
    errors.push(invalidValue(path.child("properties").key(name).child("type"), property.type ?? "", "must be string"));
  }
  const metadata = propertyOf(schema, "metadata");
  if (metadata !== undefined) errors.push(...metadataErrors(metadata, isObject, level, path.child("properties").key("metadata")));
  const hasFields = propertiesOf(schema).length > 0 || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (isEmbedded && !hasFields) {
    const rule = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(path.child("properties"), rule));
  }
  return errors;
}

function metadataErrors(metadata: JsonSchemaProps, isObject: boolean, level: Level, path: FieldPath): FieldError[] {
  const errors = isObject && metadata.type !== "object" ? [invalidValue(path.child("type"), metadata.type ?? "", "must be object")] : [];
  if (level !== "root") return errors;
  const { type: _type, default: _default, properties = {}, additionalProperties, items, not, ...rest } = metadata;
  const restrictsMore = Object.keys(properties).some((name) => name !== "name" && name !== "generateName");
  const hasMore = (additionalProperties ?? items ?? not) !== undefined || Object.values(rest).some(isSet);
  if (!restrictsMore && !hasMore) return errors;
  return [
    ...errors,
    forbiddenField(path, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
  ];
}

/** The two forms in which a type may be named in a condition: as a number or a text. */
function isIntOrString(anyOf: readonly JsonSchemaProps[] | undefined): boolean {
  return structuralEqual(anyOf, [{ type: "integer" }, { type: "string" }]);
}

interface Skipped {
  readonly skipsAnyOf: boolean;
  readonly skipsFirstAllOf: boolean;
}

function conditionErrors(schema: JsonSchemaProps, path: FieldPath, { skipsAnyOf, skipsFirstAllOf }: Skipped): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
  const errors = [
    ...(skipsAnyOf ? [] : anyOf.flatMap((part, index) => nestedErrors(part, path.child("anyOf").index(index)))),
    ...allOf.flatMap((part, index) => nestedErrors(part, path.child("allOf").index(index), skipsFirstAllOf && index === 0)),
    ...oneOf.flatMap((part, index) => nestedErrors(part, path.child("oneOf").index(index))),
    ...(not === undefined ? [] : nestedErrors(not, path.child("not"))),
  ];
  const problem = pattern === "" ? undefined : patternProblem(pattern);
  if (problem !== undefined) {
    errors.push(invalidValue(path.child("pattern"), pattern, `must be a valid regular expression, but isn't: ${problem}`));
  }
  return errors;
}

/** A schema inside of `anyOf` and its like may have conditions only. */
function nestedErrors(schema: JsonSchemaProps, path: FieldPath, skipsAnyOf = false): FieldError[] {
  const items = itemsOf(schema);
  const errors = conditionErrors(schema, path, { skipsAnyOf, skipsFirstAllOf: false });
  if (items !== undefined) errors.push(...nestedErrors(items, path.child("items")));
  for (const [name, property] of propertiesOf(schema)) errors.push(...nestedErrors(property, path.child("properties").key(name)));
  if ((schema.additionalProperties ?? false) !== false)
    errors.push(forbiddenField(path.child("additionalProperties"), "must be undefined to be structural"));
  for (const [name, state] of forbiddenInside) {
    const value = schema[name];
    // An empty default is one.
    if (state === "undefined" ? (value ?? null) !== null : isSet(value))
      errors.push(forbiddenField(path.child(name), `must be ${state} to be structural`));
  }
  if (propertyOf(schema, "metadata") !== undefined) {
    errors.push(forbiddenField(path.child("properties").key("metadata"), "must not be specified in a nested context"));
  }
  return errors;
}

const forbiddenInside = [
  ["type", "empty"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
] as const;

function patternProblem(pattern: string): string | undefined {
  try {
    compileRe2(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}

/** Whether a field says something: Go's zero values do not. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function textOf({ field, body }: FieldError): string {
  return `${field}: ${body}`;
}
