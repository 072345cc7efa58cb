import type { z } from "zod";
import { escapeField } from "../cel/field-spelling.ts";
import type { JsonValue } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { SampleError, sampleValue } from "./sample.ts";
import type { SchemaPlace } from "./schema-place.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** One of the objects of a discriminated union. */
interface Variant {
  /** The values of the discriminator that mean it. */
  readonly values: readonly string[];
  readonly schema: StructuralSchema;
}

/**
 * The schema of a `z.discriminatedUnion()`: an object with the fields of all variants, and rules that say which field goes with which value of the discriminator. A structural schema has one type for
 * each field, so that fields of one name must be the same in all variants.
 */
export function variantsFromZod(
  { discriminator, options }: z.core.$ZodDiscriminatedUnionDef,
  place: SchemaPlace,
  convert: (option: z.core.$ZodType, place: SchemaPlace) => StructuralSchema,
): StructuralSchema {
  const variants = options.map((option): Variant => ({ values: valuesOf(option, discriminator), schema: convert(option, place) }));
  if (variants.some(({ values, schema }) => values.length === 0 || schema.properties === undefined)) {
    place.report("the variants of z.discriminatedUnion() must be objects, and their discriminators texts");
    return {};
  }
  for (const { schema } of variants) refuseSumming(schema, place);
  const names = [...new Set(variants.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))].filter(
    (name) => name !== discriminator,
  );
  for (const name of [discriminator, ...names].filter((each) => escapeField(each) === undefined))
    place
      .field(name)
      .report("the rules of a union cannot name this field; a name has letters, digits, and _ . - / alone, and begins with no digit");
  const fields = names.map((name) => fieldOf(name, variants, place.field(name)));
  const all = { type: "string", enum: [...new Set(variants.flatMap(({ values }) => values))] } as const;
  const rules = [
    ...fields.flatMap((field) => fieldRules(field, discriminator)),
    ...variants.flatMap((variant) => ownRules(variant, discriminator)),
  ];
  const example = exampleOf(variants, discriminator);
  return {
    type: "object",
    properties: { [discriminator]: all, ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) },
    required: [discriminator, ...fields.filter(({ isAlwaysRequired }) => isAlwaysRequired).map(({ name }) => name)],
    ...(rules.length === 0 ? {} : { "x-kubernetes-validations": rules }),
    ...(example === undefined ? {} : { example }),
  };
}

/** A field of some variants, and with which values of the discriminator it may and must be there. */
interface VariantField {
  readonly name: string;
  readonly schema: StructuralSchema;
  /** Undefined: with all. */
  readonly allowed: readonly string[] | undefined;
  readonly required: readonly string[];
  readonly isAlwaysRequired: boolean;
}

function fieldOf(name: string, variants: readonly Variant[], place: SchemaPlace): VariantField {
  const having = variants.filter(({ schema }) => schema.properties?.[name] !== undefined);
  const requiring = having.filter(({ schema }) => schema.required?.includes(name) === true);
  const [schema = {}, ...others] = having.map((variant) => variant.schema.properties?.[name] ?? {});
  if (others.some((other) => !structuralEqual(withoutTexts(schema), withoutTexts(other))))
    place.report(
      "a field has one schema in all variants of a union; give one of these another name, or use k.oneOf({ … }) with one field for each variant",
    );
  const isEverywhere = having.length === variants.length;
  if (!isEverywhere && schema.default !== undefined)
    place.report(
      "the server would set the default of a field in all variants; use .optional(), and let the controller say what holds without it",
    );
  return {
    name,
    schema,
    allowed: isEverywhere ? undefined : having.flatMap(({ values }) => values),
    required: requiring.flatMap(({ values }) => values),
    isAlwaysRequired: requiring.length === variants.length,
  };
}

function fieldRules({ name, allowed, required, isAlwaysRequired }: VariantField, discriminator: string): readonly ValidationRule[] {
  const has = `has(self.${selected(name)})`;
  const fieldPath = `.${name}`;
  const words = (values: readonly string[]): string => `${discriminator} ${values.join(" and ")}`;
  const only: ValidationRule[] =
    allowed === undefined
      ? []
      : [
          {
            rule: `!${has} || ${isOneOf(discriminator, allowed)}`,
            message: `is only for ${words(allowed)}`,
            reason: "FieldValueForbidden",
            fieldPath,
          },
        ];
  const needed: ValidationRule[] =
    isAlwaysRequired || required.length === 0
      ? []
      : [
          {
            rule: `${has} || !(${isOneOf(discriminator, required)})`,
            message: `is needed for ${words(required)}`,
            reason: "FieldValueRequired",
            fieldPath,
          },
        ];
  return [...only, ...needed];
}

/** The rules of a variant hold for objects of that variant that have what it needs, as of any object: what is missing is told once. */
function ownRules({ values, schema }: Variant, discriminator: string): readonly ValidationRule[] {
  const needed = (schema.required ?? []).filter((name) => name !== discriminator).map((name) => ` && has(self.${selected(name)})`);
  const isOther = `!(${isOneOf(discriminator, values)}${needed.join("")})`;
  return (schema["x-kubernetes-validations"] ?? []).map((each) => ({ ...each, rule: `${isOther} || (${each.rule})` }));
}

function isOneOf(discriminator: string, values: readonly string[]): string {
  return `self.${selected(discriminator)} in [${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

/** How CEL selects a field. What it cannot select has been reported. */
function selected(name: string): string {
  return escapeField(name) ?? name;
}

/** What is said of an object as a whole would be said of all variants. */
function refuseSumming({ minProperties, maxProperties, ...schema }: StructuralSchema, place: SchemaPlace): void {
  if (minProperties !== undefined || maxProperties !== undefined || schema["x-kubernetes-preserve-unknown-fields"] === true)
    place.report(
      "a variant of a union is an object with fields; bounds of their number, and fields that are not known, can be in a field of it",
    );
}

function valuesOf(option: z.core.$ZodType, discriminator: string): readonly string[] {
  const values = [...(option._zod.propValues?.[discriminator] ?? [])];
  return values.every((value) => typeof value === "string") ? values : [];
}

/** An object of the first variant: one with the required fields of all of them would be of none. */
function exampleOf([first]: readonly Variant[], discriminator: string): JsonValue | undefined {
  if (first === undefined) return undefined;
  try {
    const properties = { ...first.schema.properties, [discriminator]: { type: "string", enum: first.values } } as const;
    return sampleValue({ ...first.schema, properties }, { kind: "", path: "" });
  } catch (error) {
    if (error instanceof SampleError) return undefined;
    throw error;
  }
}

function withoutTexts({ title: _title, description: _description, example: _example, ...schema }: StructuralSchema): JsonValue {
  return schema as JsonValue;
}
