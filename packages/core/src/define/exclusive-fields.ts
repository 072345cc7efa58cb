import { escapeField } from "../cel/field-spelling.ts";
import { forbiddenField, required } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { isRecord } from "../json/json.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** Rules that may be evaluated more often than this for an object, a server estimates to cost too much. */
const mostTimes = 1000;

/**
 * The schema as a server gets it: an object with exactly one of its fields says so by rules, which name the fields; from bounds of their number a server would say no more than that there are
 * too many. Below lists and maps without bounds, where rules would cost too much, the bounds stay.
 */
export function withExclusiveRules(schema: StructuralSchema, times: number = 1): StructuralSchema {
  const { properties, items, additionalProperties: entry } = schema;
  const names = exclusiveFields(schema, times);
  return {
    ...(names === undefined ? schema : withRules(schema, names)),
    ...(properties === undefined ? {} : { properties: mapped(properties, (field) => withExclusiveRules(field, times)) }),
    ...(items === undefined ? {} : { items: withExclusiveRules(items, times * (schema.maxItems ?? Infinity)) }),
    ...(entry === undefined || entry === true
      ? {}
      : { additionalProperties: withExclusiveRules(entry, times * (schema.maxProperties ?? Infinity)) }),
  };
}

/** Adds what those rules have against a value. */
export type CheckExclusive = (value: unknown, path: FieldPath, errors: FieldError[]) => void;

/** Says of a value what those rules of its schema would; undefined where there are none. */
export function compileExclusive(schema: StructuralSchema, times: number = 1): CheckExclusive | undefined {
  const { properties = {}, items, additionalProperties: entry } = schema;
  const names = exclusiveFields(schema, times);
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const check = compileExclusive(field, times);
    return check === undefined ? [] : [[name, check] as const];
  });
  const item = items && compileExclusive(items, times * (schema.maxItems ?? Infinity));
  const other = entry === undefined || entry === true ? undefined : compileExclusive(entry, times * (schema.maxProperties ?? Infinity));
  if (names === undefined && fields.length === 0 && item === undefined && other === undefined) return undefined;
  return (value, path, errors) => {
    if (Array.isArray(value)) value.forEach((each, index) => item?.(each, path.index(index), errors));
    if (!isRecord(value)) return;
    if (names !== undefined) errors.push(...errorsOf(names, value, path));
    for (const [name, check] of fields) if (Object.hasOwn(value, name)) check(value[name], path.child(name), errors);
    if (other !== undefined) for (const [name, each] of Object.entries(value)) other(each, path.key(name), errors);
  };
}

/** The fields of an object that has exactly one of them, where rules can say so. */
function exclusiveFields(schema: StructuralSchema, times: number): readonly string[] | undefined {
  const { type, minProperties, maxProperties, properties = {}, required: needed = [] } = schema;
  const isExclusive = type === "object" && minProperties === 1 && maxProperties === 1 && needed.length === 0;
  if (!isExclusive || times > mostTimes || schema["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
  const fields = Object.entries(properties);
  const canBeNamed = fields.every(([name, field]) => /^[A-Za-z_][\w-]*$/.test(name) && field.nullable !== true && isKnownToRules(field));
  return fields.length > 1 && canBeNamed ? fields.map(([name]) => name) : undefined;
}

/** A field of which a schema does not say what it holds, is none for a rule. */
function isKnownToRules(schema: StructuralSchema): boolean {
  const { type, items, additionalProperties: entry } = schema;
  if (type === undefined) return schema["x-kubernetes-int-or-string"] === true;
  if (type === "array") return items !== undefined && isKnownToRules(items);
  return entry === undefined || (entry !== true && isKnownToRules(entry));
}

function withRules(
  { minProperties: _least, maxProperties: _most, ...schema }: StructuralSchema,
  names: readonly string[],
): StructuralSchema {
  const has = (name: string): string => `has(self.${escapeField(name)})`;
  const rules: readonly ValidationRule[] = [
    { rule: names.map(has).join(" || "), message: noneOf(names), reason: "FieldValueRequired" },
    ...names.map((name): ValidationRule => {
      const others = names.filter((each) => each !== name).map(has);
      return {
        rule: `!${has(name)} || !(${others.join(" || ")})`,
        message: onlyOneOf(names),
        reason: "FieldValueForbidden",
        fieldPath: `.${name}`,
      };
    }),
  ];
  return { ...schema, "x-kubernetes-validations": [...(schema["x-kubernetes-validations"] ?? []), ...rules] };
}

function errorsOf(names: readonly string[], value: Readonly<Record<string, unknown>>, path: FieldPath): readonly FieldError[] {
  const present = names.filter((name) => Object.hasOwn(value, name));
  if (present.length === 0) return [required(path, noneOf(names))];
  return present.length === 1 ? [] : present.map((name) => forbiddenField(path.child(name), onlyOneOf(names)));
}

function noneOf(names: readonly string[]): string {
  return `must have exactly one of ${names.join(", ")}, and has none`;
}

function onlyOneOf(names: readonly string[]): string {
  return `only one of ${names.join(", ")} may be set`;
}

function mapped<V>(record: Readonly<Record<string, V>>, change: (value: V) => V): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
