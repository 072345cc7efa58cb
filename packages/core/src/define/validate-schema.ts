import { duplicate, invalidValue, notSupported, required, tooLong, tooMany, typeInvalid } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { fitsInt64 } from "../scalar/int64.ts";
import { pathSegmentErrors } from "../object/names.ts";
import type { NameErrors } from "../object/names.ts";
import { isDateTime } from "./date-time.ts";
import { validateEmbeddedType } from "./embedded-object.ts";
import { duplicatesIn, keysOf } from "./list-type.ts";
import { isRecord } from "../json/json.ts";
import { objectMetaSchema, validateObjectMeta } from "./object-meta.ts";
import type { LooseMeta } from "./object-meta.ts";
import { compilePattern } from "./pattern-text.ts";
import { entrySchema } from "./structural-schema.ts";
import type { SchemaType, StructuralSchema } from "./structural-schema.ts";

/** Adds what is wrong with a value. */
export type Validate = (value: unknown, path: FieldPath, errors: FieldError[]) => void;

/**
 * Compiles a schema into a check that decides as the API server does, in its words, except that a list is never taken for a string:
 * the server does so where a string has a format. Rules in CEL are not checked here.
 */
export function compileSchema(schema: StructuralSchema): Validate {
  const text = textCheck(schema);
  const number = numberCheck(schema);
  const list = listCheck(schema);
  const object = objectCheck(schema);
  return (value, path, errors) => {
    checkType(schema, value, path, errors);
    if (typeof value === "string") text(value, path, errors);
    else if (typeof value === "number" || typeof value === "bigint") number(value, path, errors);
    else if (Array.isArray(value)) list(value, path, errors);
    if (schema.enum !== undefined && !schema.enum.some((allowed) => allowed === value)) {
      errors.push(notSupported(path, value, schema.enum.map(String)));
    }
    if (isRecord(value)) object(value, path, errors);
  };
}

type ValueKind = SchemaType | "null";

function checkType(schema: StructuralSchema, value: unknown, path: FieldPath, errors: FieldError[]): void {
  const types: readonly SchemaType[] =
    schema["x-kubernetes-int-or-string"] === true ? ["integer", "string"] : schema.type ? [schema.type] : [];
  const kind = kindOf(value);
  if (types.length === 0 || types.some((type) => type === kind)) return;
  if (kind === "null" && schema.nullable === true) return;
  if (kind === "integer" && types.includes("number")) return;
  if (kind === "number" && types.includes("integer") && types.length > 1 && isNearlyWhole(Number(value))) return;
  const byFormat = schema.format !== undefined && kind !== "string" && kind !== "array" && kind !== "null";
  const found = byFormat ? (kind === "integer" ? "int64" : kind === "number" ? "float64" : "") : kind;
  errors.push(typeInvalid(path, found, `${path} in body must be of type ${byFormat ? schema.format : types.join(",")}: "${found}"`));
}

function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean" || typeof value === "string") return typeof value as "boolean" | "string";
  if (typeof value === "bigint") return fitsInt64(value) ? "integer" : "number";
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "integer" : "number";
  return Array.isArray(value) ? "array" : "object";
}

/** The server takes a fraction of less than a billionth for an error of rounding, though in positive numbers only. */
function isNearlyWhole(value: number): boolean {
  const whole = Math.trunc(value);
  return value >= 1 && value < 2 ** 53 && (value - whole) / (value + whole) < 1e-9;
}

function textCheck(schema: StructuralSchema): (value: string, path: FieldPath, errors: FieldError[]) => void {
  const { minLength = 0, maxLength = Infinity, format } = schema;
  const compile = (pattern: string): [string, RegExp] => [pattern, compilePattern(pattern)];
  const patterns = schema.pattern === undefined ? [] : [compile(schema.pattern)];
  const further = (schema.allOf ?? []).map(({ pattern }) => compile(pattern));
  return (value, path, errors) => {
    const mismatch = ([pattern]: [string, RegExp]): FieldError => invalidValue(path, value, `${path} in body should match '${pattern}'`);
    errors.push(...further.filter(([, regex]) => !regex.test(value)).map(mismatch));
    // A code point is one or two UTF-16 units, and the server counts code points.
    const length = value.length > maxLength || value.length < 2 * minLength ? Array.from(value).length : value.length;
    if (length > maxLength) errors.push(tooLong(path, maxLength));
    else if (length < minLength) errors.push(invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
    else errors.push(...patterns.filter(([, regex]) => !regex.test(value)).map(mismatch));
    if (format === "date-time" && !isDateTime(value)) {
      errors.push(typeInvalid(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`));
    }
  };
}

function numberCheck(schema: StructuralSchema): (value: number | bigint, path: FieldPath, errors: FieldError[]) => void {
  const { minimum = -Infinity, exclusiveMinimum, maximum = Infinity, exclusiveMaximum, multipleOf, format } = schema;
  return (value, path, errors) => {
    const complain = (rule: string): number => errors.push(invalidValue(path, value, rule));
    if (format === "int32" && kindOf(value) === "integer" && (value < -(2 ** 31) || value >= 2 ** 31)) {
      complain(`Checked value must be of type integer with format int32 in ${path}`);
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) complain(`${path} in body should be a multiple of ${multipleOf}`);
    if (exclusiveMinimum === true ? value <= minimum : value < minimum) {
      complain(`${path} in body should be greater than ${exclusiveMinimum === true ? "" : "or equal to "}${minimum}`);
    }
    if (exclusiveMaximum === true ? value >= maximum : value > maximum) {
      complain(`${path} in body should be less than ${exclusiveMaximum === true ? "" : "or equal to "}${maximum}`);
    }
  };
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  return value % factor === 0 || (!Number.isInteger(value) && isNearlyWhole(value / factor));
}

function listCheck(schema: StructuralSchema): (value: readonly unknown[], path: FieldPath, errors: FieldError[]) => void {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  const checkItem = items === undefined ? undefined : compileSchema(items);
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const type = schema["x-kubernetes-list-type"];
  return (value, path, errors) => {
    if (checkItem !== undefined) value.forEach((item, index) => checkItem(item, path.index(index), errors));
    if (value.length < minItems) errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
    if (value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
    if (type !== "set" && type !== "map") return;
    const stranger = type === "map" ? value.findIndex((item) => item !== null && !isRecord(item)) : -1;
    if (stranger >= 0) {
      errors.push(invalidValue(path.index(stranger), value[stranger], "must be an object for an array of list-type map"));
      return;
    }
    const compared = type === "set" ? value : keysOf(value, keys);
    errors.push(...duplicatesIn(compared).map((index) => duplicate(path.index(index), compared[index])));
  };
}

function objectCheck(schema: StructuralSchema): (value: Readonly<Record<string, unknown>>, path: FieldPath, errors: FieldError[]) => void {
  const { minProperties = 0, maxProperties = Infinity, required: needed = [], properties = {} } = schema;
  const checks = new Map(Object.entries(properties).map(([name, property]) => [name, compileSchema(property)]));
  const entry = entrySchema(schema);
  const checkOther = entry === undefined ? undefined : compileSchema(entry);
  const embedded = schema["x-kubernetes-embedded-resource"] === true ? compileMeta(pathSegmentErrors) : undefined;
  return (value, path, errors) => {
    const count = Object.keys(value).length;
    if (count < minProperties) errors.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
    if (count > maxProperties) errors.push(tooMany(path, count, maxProperties));
    for (const [name, field] of Object.entries(value)) (checks.get(name) ?? checkOther)?.(field, path.child(name), errors);
    errors.push(...needed.filter((name) => !Object.hasOwn(value, name)).map((name) => required(path.child(name))));
    if (embedded === undefined) return;
    errors.push(...validateEmbeddedType(value, path));
    if (Object.hasOwn(value, "metadata")) embedded(value["metadata"], path.child("metadata"), errors);
  };
}

/** Checks metadata: the types of its fields, and then the syntax of names, labels and annotations. */
export function compileMeta(nameErrors: (name: string) => NameErrors): Validate {
  const checkTypes = compileSchema(objectMetaSchema);
  return (value, path, errors) => {
    const before = errors.length;
    checkTypes(value, path, errors);
    if (errors.length === before) errors.push(...validateObjectMeta(value as LooseMeta, path, nameErrors));
  };
}
