import { isJsonArray, isJsonObject, jsonOf, structuralEqual } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { CrdColumn, CrdSpec, CrdSubresources, CrdVersion } from "./crd.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/**
 * A definition as the real server looks at it when it validates: what all versions have in common stands once, above them.
 * That is where its messages say it is.
 */
export interface InternalSpec {
  readonly versions: readonly CrdVersion[];
  readonly validation: CrdVersion["schema"];
  readonly subresources: CrdSubresources | undefined;
  readonly additionalPrinterColumns: readonly CrdColumn[] | undefined;
  readonly selectableFields: CrdVersion["selectableFields"];
}

const shareable = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** Moves what all versions have in common above them. */
export function internalSpec({ versions }: CrdSpec): InternalSpec {
  const [first] = versions;
  const shared = new Set(shareable.filter((field) => versions.every((version) => structuralEqual(version[field], first?.[field]))));
  const common = <Field extends (typeof shareable)[number]>(field: Field): CrdVersion[Field] | undefined =>
    shared.has(field) ? first?.[field] : undefined;
  return {
    versions: versions.map((version) => without(version, shared)),
    validation: common("schema"),
    subresources: common("subresources"),
    additionalPrinterColumns: common("additionalPrinterColumns"),
    selectableFields: common("selectableFields"),
  };
}

/** A version as the real server's messages show it. */
export function shownVersion(version: CrdVersion): JsonValue {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const { scale } = subresources ?? {};
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema:
      schema === undefined ? null : { OpenAPIV3Schema: schema.openAPIV3Schema === undefined ? null : shownSchema(schema.openAPIV3Schema) },
    Subresources:
      subresources === undefined
        ? null
        : { Status: subresources.status === undefined ? null : {}, Scale: scale === undefined ? null : shownScale(scale) },
    AdditionalPrinterColumns: orNull(additionalPrinterColumns.map(shownColumn)),
    SelectableFields: orNull(selectableFields.map(({ jsonPath }) => ({ JSONPath: jsonPath }))),
  };
}

/** A schema as the real server's messages show it: every field there is, by its name in Go. */
export function shownSchema(schema: JsonSchemaProps): JsonValue {
  const given = jsonOf(schema);
  return Object.fromEntries(schemaFields.map(([shown, name, kind]) => [shown, shownField(given[name], kind)]));
}

function without(version: CrdVersion, fields: ReadonlySet<string>): CrdVersion {
  return Object.fromEntries(Object.entries(version).filter(([name]) => !fields.has(name))) as CrdVersion;
}

function shownScale({ specReplicasPath, statusReplicasPath, labelSelectorPath }: NonNullable<CrdSubresources["scale"]>): JsonValue {
  return { SpecReplicasPath: specReplicasPath, StatusReplicasPath: statusReplicasPath, LabelSelectorPath: labelSelectorPath ?? null };
}

function shownColumn({ name, type, format = "", description = "", priority = 0, jsonPath }: CrdColumn): JsonValue {
  return { Name: name, Type: type, Format: format, Description: description, Priority: priority, JSONPath: jsonPath };
}

function orNull(list: readonly JsonValue[]): JsonValue {
  return list.length === 0 ? null : list;
}

/** What a field holds, which decides how it looks when it is empty and what is in it. */
type Shown =
  | "bool"
  | "text"
  | "value"
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrArray"
  | "schemaOrBool"
  | "dependencies"
  | "docs"
  | "rules";

function shownField(value: JsonValue | undefined, kind: Shown): JsonValue {
  if (value === undefined || value === null) return kind === "bool" ? false : kind === "text" ? "" : null;
  switch (kind) {
    case "bool":
    case "text":
    case "value":
      return value;
    case "schema":
      return shownSchema(value as JsonSchemaProps);
    case "schemas":
      return isJsonArray(value) ? value.map((schema) => shownSchema(schema as JsonSchemaProps)) : null;
    case "schemaMap":
      return isJsonObject(value) ? mapValues(value, (schema) => shownSchema(schema as JsonSchemaProps)) : null;
    case "schemaOrArray":
      return {
        Schema: isJsonArray(value) ? null : shownField(value, "schema"),
        JSONSchemas: isJsonArray(value) ? shownField(value, "schemas") : null,
      };
    case "schemaOrBool":
      return { Allows: value !== false, Schema: isJsonObject(value) ? shownField(value, "schema") : null };
    case "dependencies":
      return isJsonObject(value) ? mapValues(value, shownDependency) : null;
    case "docs":
      return isJsonObject(value) ? { Description: value["description"] ?? "", URL: value["url"] ?? "" } : null;
    case "rules":
      return isJsonArray(value) ? value.map(shownRule) : null;
    default:
      return kind satisfies never;
  }
}

function shownDependency(value: JsonValue): JsonValue {
  return { Schema: isJsonObject(value) ? shownField(value, "schema") : null, Property: isJsonArray(value) ? value : null };
}

function shownRule(value: JsonValue): JsonValue {
  const rule = isJsonObject(value) ? value : {};
  return {
    Rule: rule["rule"] ?? "",
    Message: rule["message"] ?? "",
    MessageExpression: rule["messageExpression"] ?? "",
    Reason: rule["reason"] ?? null,
    FieldPath: rule["fieldPath"] ?? "",
    OptionalOldSelf: rule["optionalOldSelf"] ?? null,
  };
}

function mapValues(object: Readonly<Record<string, JsonValue | undefined>>, show: (value: JsonValue) => JsonValue): JsonValue {
  return Object.fromEntries(
    Object.keys(object)
      .toSorted()
      .map((name) => [name, show(object[name] ?? null)]),
  );
}

/** In the order Go declares them. */
const schemaFields: readonly (readonly [shown: string, name: string, kind: Shown])[] = [
  ["ID", "id", "text"],
  ["Schema", "$schema", "text"],
  ["Ref", "$ref", "value"],
  ["Description", "description", "text"],
  ["Type", "type", "text"],
  ["Nullable", "nullable", "bool"],
  ["Format", "format", "text"],
  ["Title", "title", "text"],
  ["Default", "default", "value"],
  ["Maximum", "maximum", "value"],
  ["ExclusiveMaximum", "exclusiveMaximum", "bool"],
  ["Minimum", "minimum", "value"],
  ["ExclusiveMinimum", "exclusiveMinimum", "bool"],
  ["MaxLength", "maxLength", "value"],
  ["MinLength", "minLength", "value"],
  ["Pattern", "pattern", "text"],
  ["MaxItems", "maxItems", "value"],
  ["MinItems", "minItems", "value"],
  ["UniqueItems", "uniqueItems", "bool"],
  ["MultipleOf", "multipleOf", "value"],
  ["Enum", "enum", "value"],
  ["MaxProperties", "maxProperties", "value"],
  ["MinProperties", "minProperties", "value"],
  ["Required", "required", "value"],
  ["Items", "items", "schemaOrArray"],
  ["AllOf", "allOf", "schemas"],
  ["OneOf", "oneOf", "schemas"],
  ["AnyOf", "anyOf", "schemas"],
  ["Not", "not", "schema"],
  ["Properties", "properties", "schemaMap"],
  ["AdditionalProperties", "additionalProperties", "schemaOrBool"],
  ["PatternProperties", "patternProperties", "schemaMap"],
  ["Dependencies", "dependencies", "dependencies"],
  ["AdditionalItems", "additionalItems", "schemaOrBool"],
  ["Definitions", "definitions", "schemaMap"],
  ["ExternalDocs", "externalDocs", "docs"],
  ["Example", "example", "value"],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "value"],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", "bool"],
  ["XIntOrString", "x-kubernetes-int-or-string", "bool"],
  ["XListMapKeys", "x-kubernetes-list-map-keys", "value"],
  ["XListType", "x-kubernetes-list-type", "value"],
  ["XMapType", "x-kubernetes-map-type", "value"],
  ["XValidations", "x-kubernetes-validations", "rules"],
];
