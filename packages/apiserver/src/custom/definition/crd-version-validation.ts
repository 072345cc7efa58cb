import { ParseError, dns1035LabelErrors, duplicate, forbiddenField, invalidValue, required, tooMany } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { goJson } from "../../apply/go-json.ts";
import { shownSchema } from "./crd-internal.ts";
import type { InternalSpec } from "./crd-internal.ts";
import type { CrdColumn, CrdScale, CrdSubresources, CrdVersion } from "./crd.ts";
import { validateDefaults } from "./default-validation.ts";
import { validateOpenApi } from "./openapi-validation.ts";
import { firstUnprintable } from "../../request/unprintable.ts";
import { validateExpressions } from "../rules/rule-definition.ts";
import { resolveField } from "./schema-field-path.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";
import { structuralObstacle, validateStructural } from "./structural-validation.ts";

/** What is wrong with one version: the parts it does not share with all others. */
export function validateVersion(version: CrdVersion, { subresources }: InternalSpec, path: FieldPath): readonly FieldError[] {
  const nameProblems = dns1035LabelErrors(version.name);
  return [
    ...(nameProblems.length === 0 ? [] : [invalidValue(path.child("name"), version.name, nameProblems.join(","))]),
    ...deprecationErrors(version, path.child("deprecationWarning")),
    ...validateParts(version, { path, schemaField: "schema", hasStatus: hasStatus(version.subresources ?? subresources) }),
  ];
}

/** Whether objects have a status of their own. */
export function hasStatus(subresources: CrdSubresources | undefined): boolean {
  return subresources?.status !== undefined;
}

/** What a version consists of, and all versions may have in common. */
type Parts = Partial<Pick<InternalSpec, "subresources" | "additionalPrinterColumns" | "selectableFields">> & {
  readonly schema?: CrdVersion["schema"];
};

interface PartsPlace {
  readonly path: FieldPath;
  /** What the schema is called there. */
  readonly schemaField: "schema" | "validation";
  readonly hasStatus: boolean;
}

/** What is wrong with schema, subresources, columns and selectable fields. */
export function validateParts(parts: Parts, { path, schemaField, hasStatus }: PartsPlace): readonly FieldError[] {
  const { additionalPrinterColumns = [], selectableFields = [], subresources } = parts;
  const schema = parts.schema?.openAPIV3Schema;
  return [
    ...(schema === undefined ? [] : schemaErrors(schema, path.child(schemaField), hasStatus)),
    ...(subresources?.scale === undefined ? [] : scaleErrors(subresources.scale, path.child("subresources"))),
    ...additionalPrinterColumns.flatMap((column, index) => columnErrors(column, path.child("additionalPrinterColumns").index(index))),
    ...(selectableFields.length === 0 ? [] : selectableErrors(selectableFields, schema, path, schemaField)),
  ];
}

function deprecationErrors({ deprecated = false, deprecationWarning: warning }: CrdVersion, path: FieldPath): readonly FieldError[] {
  if (warning === undefined) return [];
  if (!deprecated) return [invalidJson(path, warning, "can only be set for deprecated versions")];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(invalidJson(path, warning, "must be <= 256 characters long"));
  if (warning === "") errors.push(invalidJson(path, warning, "must not be an empty string"));
  const unprintable = firstUnprintable(warning);
  if (unprintable !== undefined) {
    const index = Buffer.byteLength(warning.slice(0, unprintable));
    const rule = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
    errors.push(invalidJson(path, warning, rule));
  }
  return errors;
}

/** Text that is a pointer upstream is shown as JSON, not quoted as Go quotes text. */
function invalidJson(path: FieldPath, value: string, rule: string): FieldError {
  return { type: "FieldValueInvalid", field: path.toString(), body: `Invalid value: ${goJson(value)}: ${rule}` };
}

function schemaErrors(schema: JsonSchemaProps, path: FieldPath, hasStatus: boolean): readonly FieldError[] {
  const at = path.child("openAPIV3Schema");
  const obstacle = structuralObstacle(schema);
  const structural = obstacle === undefined ? structuralErrors(schema, at) : [];
  const openApi = validateOpenApi(schema, at);
  const isStructural = obstacle === undefined && structural.length === 0;
  const errors = [
    ...(hasStatus ? rootErrors(schema, at) : []),
    ...(schema.nullable === true ? [forbiddenField(at.child("nullable"), "nullable cannot be true at the root")] : []),
    ...structural,
    ...openApi,
    ...(isStructural ? validateExpressions(schema, at, openApi) : []),
  ];
  // What is in the way of a structural schema is mostly reported by its own name already.
  return errors.length === 0 && obstacle !== undefined ? [invalidValue(at, "", obstacle)] : errors;
}

function structuralErrors(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const errors = validateStructural(schema, path);
  return errors.length > 0 ? errors : validateDefaults(schema, path);
}

/** In the order in which Go declares the fields of a schema, which is the order in which they are looked at. */
const fieldsNotAtRoot = [
  "id",
  "$schema",
  "$ref",
  "nullable",
  "default",
  "enum",
  "maxProperties",
  "minProperties",
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "additionalProperties",
  "patternProperties",
  "dependencies",
  "additionalItems",
  "definitions",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
] as const;

/** The values by which Go does not tell a field from one that is absent. */
const emptyAtRoot: Readonly<Partial<Record<(typeof fieldsNotAtRoot)[number], unknown>>> = {
  id: "",
  $schema: "",
  nullable: false,
  "x-kubernetes-embedded-resource": false,
  "x-kubernetes-int-or-string": false,
};

const fieldsAtRoot =
  "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems " +
  "MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

/** With a status of its own, an object is validated in two parts, so that its schema must come apart in two. */
function rootErrors(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const { type = "" } = schema;
  const wrongType = type !== "" && type !== "object";
  const early = fieldsNotAtRoot.slice(0, 3);
  const isOff = (field: (typeof fieldsNotAtRoot)[number]): boolean =>
    (schema[field] ?? null) !== null && schema[field] !== emptyAtRoot[field];
  if (wrongType && !early.some(isOff)) {
    return [
      invalidValue(
        path.child("type"),
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  }
  if (!fieldsNotAtRoot.some(isOff)) return [];
  const rule = `only ${fieldsAtRoot} fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(path, shownSchema(schema), rule)];
}

function scaleErrors(
  { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" }: Partial<CrdScale>,
  path: FieldPath,
): readonly FieldError[] {
  const check = (name: string, value: string, roots: readonly string[], where: string): FieldError[] => {
    const at = path.child(`scale.${name}`);
    const errors = simplePathErrors(value, at);
    if (errors.length > 0 || roots.some((root) => value.startsWith(root))) return errors;
    return [invalidJson(at, value, `should be a json path under ${where}`)];
  };
  return [
    ...(specReplicasPath === ""
      ? [required(path.child("scale.specReplicasPath"))]
      : check("specReplicasPath", specReplicasPath, [".spec."], ".spec")),
    ...(statusReplicasPath === ""
      ? [required(path.child("scale.statusReplicasPath"))]
      : check("statusReplicasPath", statusReplicasPath, [".status."], ".status")),
    ...(labelSelectorPath === "" ? [] : check("labelSelectorPath", labelSelectorPath, [".spec.", ".status."], "either .spec or .status")),
  ];
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

function columnErrors({ name = "", type = "", format = "", jsonPath = "" }: Partial<CrdColumn>, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path.child("name")));
  const typeRule = `must be one of ${columnTypes.join(",")}`;
  if (type === "") errors.push(required(path.child("type"), typeRule));
  else if (!columnTypes.includes(type)) errors.push(invalidValue(path.child("type"), type, typeRule));
  if (format !== "" && !columnFormats.includes(format)) {
    errors.push(invalidValue(path.child("format"), format, `must be one of ${columnFormats.join(",")}`));
  }
  const at = path.child("JSONPath");
  return [...errors, ...(jsonPath === "" ? [required(at)] : simplePathErrors(jsonPath, at))];
}

function simplePathErrors(value: string, path: FieldPath): FieldError[] {
  return value.startsWith(".") ? [] : [invalidValue(path, value, "must be a simple json path starting with .")];
}

/** As many as the server keeps an index of. */
const mostSelectableFields = 8;

function selectableErrors(
  fields: NonNullable<CrdVersion["selectableFields"]>,
  schema: JsonSchemaProps | undefined,
  parent: FieldPath,
  schemaField: PartsPlace["schemaField"],
): readonly FieldError[] {
  if (schema === undefined) {
    const inVersion = "may only be set when `version.schema.openAPIV3Schema` is not included";
    const rule = schemaField === "schema" ? inVersion : "may only be set when validations.schema is included";
    return [invalidValue(parent.child("selectableFields"), "", rule)];
  }
  const obstacle = structuralObstacle(schema);
  const path = parent.child("selectableFields");
  const seen = new Set<string>();
  const errors = obstacle === undefined ? [] : [invalidValue(parent.child("schema.openAPIV3Schema"), "", obstacle)];
  for (const [index, { jsonPath = "" }] of fields.entries()) {
    errors.push(...selectableFieldErrors(jsonPath, obstacle === undefined ? schema : {}, path.index(index).child("jsonPath"), seen));
  }
  return seen.size > mostSelectableFields ? [...errors, tooMany(path, seen.size, mostSelectableFields)] : errors;
}

function selectableFieldErrors(jsonPath: string, schema: JsonSchemaProps, path: FieldPath, seen: Set<string>): readonly FieldError[] {
  if (jsonPath === "") return [required(path)];
  try {
    const { names, schema: field } = resolveField(jsonPath, schema, { brackets: "refused" });
    const errors: FieldError[] = [];
    if (names[0] === "metadata") errors.push(invalidValue(path, jsonPath, "must not point to fields in metadata"));
    if (!["string", "boolean", "integer"].includes(field?.type ?? "")) {
      const rule = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(invalidValue(path, jsonPath, rule));
    }
    const identity = names.join(".");
    if (seen.has(identity)) errors.push(duplicate(path, jsonPath));
    seen.add(identity);
    return errors;
  } catch (error) {
    if (error instanceof ParseError) return [invalidValue(path, jsonPath, `is an invalid path: ${error.message}`)];
    throw error;
  }
}
