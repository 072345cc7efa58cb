import { forbiddenField, invalidValue, notSupported, required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { validateListRules } from "./list-rule-validation.ts";
import { validateRules } from "../rules/rule-validation.ts";
import { additionalOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps, SchemaMap } from "../schema/structural-schema.ts";

/** What is wrong with a schema by the rules of OpenAPI v3 as the server knows it, and of the extensions. */
export function validateOpenApi(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  return schemaErrors(schema, path, { isRoot: true, inMetadata: false, whereNoDefaults: undefined });
}

/** Where a schema stands. */
interface Place {
  readonly isRoot: boolean;
  /** Whether it is about the type or metadata of an object. */
  readonly inMetadata: boolean;
  /** Given where there may be no defaults. */
  readonly whereNoDefaults: string | undefined;
}

function schemaErrors(schema: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
  const inside: Place = { ...place, isRoot: false };
  return [
    ...ownErrors(schema, path, place),
    ...additionalErrors(schema, path, inside),
    ...propertiesOf(schema).flatMap(([name, property]) =>
      schemaErrors(property, path.child("properties").key(name), propertyPlace(schema, name, place)),
    ),
    ...conditionErrors(schema, path, inside),
    ...itemErrors(schema, path, inside),
    ...extensionErrors(schema, path),
    ...validateListRules(schema, path),
    ...validateRules(schema, path),
  ];
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

function ownErrors(schema: JsonSchemaProps, path: FieldPath, { inMetadata, whereNoDefaults }: Place): FieldError[] {
  const { type = "", default: value } = schema;
  const errors: FieldError[] = [];
  if (type !== "" && !types.includes(type)) errors.push(notSupported(path.child("type"), type, types));
  if (value !== undefined && value !== null && whereNoDefaults !== undefined) {
    errors.push(forbiddenField(path.child("default"), `must not be set ${whereNoDefaults}`));
  }
  for (const name of unsupportedIn(schema)) errors.push(forbiddenField(path.child(name), `${name} is not supported`));
  if (type === "null") errors.push(forbiddenField(path.child("type"), "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbiddenField(path.child("items"), "items must be a schema object and not an array"));
  }
  if (inMetadata && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(forbiddenField(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  }
  if (schema.uniqueItems === true) {
    errors.push(
      forbiddenField(path.child("uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"),
    );
  }
  return errors;
}

function additionalErrors(schema: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
  const { additionalProperties } = schema;
  const additional = additionalOf(schema);
  const at = path.child("additionalProperties");
  const excludes = additionalProperties !== undefined && additionalProperties !== true && propertiesOf(schema).length > 0;
  const errors = excludes ? [forbiddenField(at, "additionalProperties and properties are mutual exclusive")] : [];
  if (additional === undefined) return errors;
  const where = place.inMetadata ? "inside additionalProperties applying to object metadata" : place.whereNoDefaults;
  return [...errors, ...schemaErrors(additional, at, { ...place, whereNoDefaults: where })];
}

function propertyPlace(schema: JsonSchemaProps, name: string, { isRoot, inMetadata, whereNoDefaults }: Place): Place {
  const isObject = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (!isObject || !["metadata", "kind", "apiVersion"].includes(name)) return { isRoot: false, inMetadata, whereNoDefaults };
  return { isRoot: false, inMetadata: true, whereNoDefaults: isRoot ? `in top-level ${name}` : whereNoDefaults };
}

/** What a schema has that it may not have, or only as long as there is nothing in it. */
function unsupportedIn({ id, additionalItems, patternProperties, definitions, dependencies, $ref }: JsonSchemaProps): readonly string[] {
  const given = {
    id: (id ?? "") !== "",
    additionalItems: additionalItems !== undefined,
    patternProperties: Object.keys(patternProperties ?? {}).length > 0,
    definitions: Object.keys(definitions ?? {}).length > 0,
    dependencies: (dependencies ?? null) !== null,
    $ref: $ref !== undefined,
  };
  return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
}

function conditionErrors(schema: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
  const { not, allOf = [], oneOf = [], anyOf = [], definitions = {}, dependencies = {} } = schema;
  const listed = (name: string, schemas: readonly JsonSchemaProps[]): FieldError[] =>
    schemas.flatMap((part, index) => schemaErrors(part, path.child(name).index(index), place));
  const named = (name: string, schemas: SchemaMap): FieldError[] =>
    Object.entries(schemas).flatMap(([key, part]) => schemaErrors(part, path.child(name).key(key), place));
  const dependent = Object.fromEntries(
    Object.entries(dependencies).filter((entry): entry is [string, JsonSchemaProps] => !Array.isArray(entry[1])),
  );
  return [
    ...(not === undefined ? [] : schemaErrors(not, path.child("not"), place)),
    ...listed("allOf", allOf),
    ...listed("oneOf", oneOf),
    ...listed("anyOf", anyOf),
    ...named("definitions", definitions),
    ...named("dependencies", dependent),
  ];
}

function itemErrors({ items }: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
  if (items === undefined) return [];
  const at = path.child("items");
  return isList(items) ? items.flatMap((item, index) => schemaErrors(item, at.index(index), place)) : schemaErrors(items, at, place);
}

function extensionErrors(schema: JsonSchemaProps, path: FieldPath): FieldError[] {
  const { type = "", "x-kubernetes-map-type": mapType } = schema;
  const errors: FieldError[] = [];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(invalidValue(path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  }
  if (mapType === undefined) return errors;
  if (type !== "object") {
    const rule = "must be object if x-kubernetes-map-type is specified";
    errors.push(type === "" ? required(path.child("type"), rule) : invalidValue(path.child("type"), type, rule));
  }
  const supported = ["atomic", "granular"];
  if (!supported.includes(mapType)) errors.push(notSupported(path.child("x-kubernetes-map-type"), mapType, supported));
  return errors;
}

function isList(items: NonNullable<JsonSchemaProps["items"]>): items is readonly JsonSchemaProps[] {
  return Array.isArray(items);
}
