import { z } from "zod";
import type { JsonValue } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { asJson } from "./as-json.ts";
import { isKubeCheck } from "./kube-check.ts";
import { isWhole, normalize } from "./normalize.ts";
import { numberFromZod } from "./number-from-zod.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { stringFromZod } from "./string-from-zod.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { variantsFromZod } from "./variants-from-zod.ts";
import { checksOf, refuseCheck } from "./zod-check.ts";

/** The schema that says to the API server what a zod schema says to JavaScript; reports where there is none. */
export function structuralFromZod(schema: z.core.$ZodType, place: SchemaPlace): StructuralSchema {
  if (!isZodSchema(schema)) {
    place.report("this is not a schema of zod 4");
    return {};
  }
  if (place.isInside(schema)) {
    place.report("a type that contains itself has no structural schema; use k.preserveUnknownFields<…>() where it begins again");
    return {};
  }
  const own = checksOf(schema).filter(isKubeCheck);
  const inside = place.inside(schema);
  const plain = own.some(({ _zod }) => _zod.def.replaces) ? {} : fromType(schema, inside);
  const checked = own.reduce((extended, { _zod }) => _zod.def.extend(extended), plain);
  const facts = describe(schema, inside);
  return { ...facts, ...checked, ...facts };
}

/** Whether a field may be absent when an object is written. */
export function isOmittable(schema: z.core.$ZodType): boolean {
  return isZodSchema(schema) && schema._zod.optin !== undefined;
}

/** The compiler has seen to it, unless the definition is written in JavaScript or with another zod. */
function isZodSchema(schema: unknown): schema is z.core.$ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

/** Constructs without a structural schema, and what to write in their place. */
const refused: Readonly<Partial<Record<z.core.$ZodTypeDef["type"], string>>> = {
  bigint: "a bigint, such as of z.int64(), does not fit into a JSON number; use z.int(), or a string",
  symbol: "z.symbol() has no JSON form; use z.string()",
  undefined: "z.undefined() has no JSON form; leave the field out, or use .optional()",
  void: "z.void() has no JSON form; leave the field out",
  null: "z.null() alone has no structural schema; use .nullable() on the type of the value",
  never: "z.never() has no structural schema; leave the field out",
  nan: "z.nan() has no JSON form; use z.number()",
  date: "z.date() has no JSON form; use k.time()",
  intersection: "z.intersection() has no structural schema; use one z.object() with the fields of both, or .extend()",
  tuple: "z.tuple() has no structural schema; use z.object() with named fields, or z.array()",
  map: "z.map() has no JSON form; use z.record(z.string(), …)",
  set: "z.set() has no JSON form; use k.set(…)",
  file: "z.file() has no JSON form; use z.string() with the content, or the name of a ConfigMap",
  transform: "the server cannot transform values; describe what the user writes, and transform it in the controller",
  pipe: "the server cannot transform values (pipe, preprocess, codec); describe what the user writes, and transform it in the controller",
  success: "z.success() has no structural schema; use z.boolean()",
  catch: "the server refuses a wrong value, it does not replace it; leave .catch() out, or use .default()",
  template_literal: "z.templateLiteral() has no structural schema; use z.string().regex(…)",
  promise: "z.promise() has no JSON form; describe the value itself",
  function: "z.function() has no JSON form",
  lazy: "a type that contains itself has no structural schema; use k.preserveUnknownFields<…>() where it begins again",
  custom: "z.custom() and z.instanceof() are functions, which the server cannot call; use k.preserveUnknownFields<…>()",
};

function fromType(schema: z.core.$ZodType, place: SchemaPlace): StructuralSchema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ("coerce" in def && def.coerce) place.report("the server does not convert values as z.coerce does; use the type that the user writes");
  if (def.type === "string") return stringFromZod(checksOf(schema), place);
  if (def.type === "number") return numberFromZod(checksOf(schema), place);
  if (def.type === "array") return fromArray(def, place);
  const refusal = refused[def.type];
  if (refusal !== undefined) {
    place.report(refusal);
    return {};
  }
  for (const check of def.checks ?? []) refuseCheck(check, place);
  switch (def.type) {
    case "boolean":
      return { type: "boolean" };
    case "any":
    case "unknown":
      return { "x-kubernetes-preserve-unknown-fields": true, nullable: true };
    case "object":
      return fromObject(def, place);
    case "record":
      return fromRecord(def, place);
    case "enum":
    case "literal":
      return fromValues(valuesOf(schema), place);
    case "union":
      if (isDiscriminated(def)) return variantsFromZod(def, place, structuralFromZod);
      return fromUnion(def.options, place);
    case "nullable":
      return fromNullable(def.innerType, place);
    case "default":
    case "prefault":
      return fromDefault(def, place);
    case "optional":
    case "nonoptional":
    case "readonly":
      return structuralFromZod(def.innerType, place);
    default:
      place.report(`z.${def.type}() has no structural schema`);
      return {};
  }
}

function isDiscriminated(def: z.core.$ZodUnionDef): def is z.core.$ZodDiscriminatedUnionDef {
  return "discriminator" in def;
}

function fromArray(def: z.core.$ZodArrayDef, place: SchemaPlace): StructuralSchema {
  let minItems = 0;
  let maxItems = Infinity;
  for (const check of def.checks ?? []) {
    const facts = (check as z.core.$ZodChecks)._zod.def;
    if (facts.check === "min_length") minItems = Math.max(minItems, facts.minimum);
    else if (facts.check === "max_length") maxItems = Math.min(maxItems, facts.maximum);
    else if (facts.check === "length_equals") [minItems, maxItems] = [Math.max(minItems, facts.length), Math.min(maxItems, facts.length)];
    else refuseCheck(check, place);
  }
  if (isOmittable(def.element)) place.each().report("an item of a list cannot be absent; leave .optional() and .default() out");
  return {
    type: "array",
    items: structuralFromZod(def.element, place.each()),
    ...(minItems > 0 ? { minItems } : {}),
    ...(maxItems < Infinity ? { maxItems } : {}),
  };
}

function fromObject(def: z.core.$ZodObjectDef, place: SchemaPlace): StructuralSchema {
  const entries = Object.entries(def.shape);
  const catchall = def.catchall?._zod.def.type;
  if (catchall === "never") place.report("the server drops unknown fields, it does not refuse them; use z.object() without .strict()");
  else if (catchall !== undefined && catchall !== "unknown" && catchall !== "any") {
    place.report("fields and a .catchall() cannot be in one object; put the others into a z.record() of their own");
  }
  const required = entries.filter(([, field]) => !isOmittable(field)).map(([name]) => name);
  const properties = Object.fromEntries(entries.map(([name, field]) => [name, structuralFromZod(field, place.field(name))]));
  return {
    type: "object",
    ...(entries.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(catchall === "unknown" || catchall === "any" ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
  };
}

function fromRecord(def: z.core.$ZodRecordDef, place: SchemaPlace): StructuralSchema {
  const { keyType, valueType } = def;
  if (keyType._zod.def.type !== "string" || checksOf(keyType).length > 0) {
    const remedy = 'use z.string() for the keys and .check(k.rule("self.all(key, …)")), or z.object() if they are known';
    place.report(`the keys of a map can be any string; ${remedy}`);
  }
  if (isOmittable(valueType)) place.each().report("a value of a map cannot be absent; leave .optional() and .default() out");
  return { type: "object", additionalProperties: structuralFromZod(valueType, place.each()) };
}

/** All that an enum or a literal allows; of an enum of TypeScript the values, not the names. */
function valuesOf(schema: z.core.$ZodType): readonly unknown[] {
  return [...(schema._zod.values ?? [])];
}

function fromValues(values: readonly unknown[], place: SchemaPlace): StructuralSchema {
  const distinct = [...new Set(values)];
  if (distinct.length === 0) place.report("an enum without values allows nothing; leave the field out");
  if (distinct.every((value) => typeof value === "string")) return { type: "string", enum: distinct };
  if (distinct.every((value) => typeof value === "boolean")) return { type: "boolean", enum: distinct };
  if (distinct.every((value) => typeof value === "number" && Number.isSafeInteger(value))) {
    return { type: "integer", enum: distinct as readonly number[] };
  }
  place.report("the values of an enum must all be strings, all whole numbers or all booleans");
  return {};
}

function fromUnion(options: readonly z.core.$ZodType[], place: SchemaPlace): StructuralSchema {
  const types = new Set(options.map((option) => option._zod.def.type));
  if ([...types].every((type) => type === "literal" || type === "enum")) {
    return fromValues(options.flatMap(valuesOf), place);
  }
  place.report(`a union of ${[...types].join(", ")} has no structural schema; ${unionRemedy(types)}`);
  return {};
}

function unionRemedy(types: ReadonlySet<z.core.$ZodTypeDef["type"]>): string {
  if (types.has("null")) return "use .nullable()";
  if ([...types].every((type) => type === "object" || type === "union"))
    return "use z.discriminatedUnion(), or k.oneOf({ … }) with one field for each variant";
  const scalar = (type: string): boolean => type === "string" || type === "number";
  return types.size === 2 && [...types].every(scalar) ? "use k.intOrString()" : "use one type, or z.unknown() if anything goes";
}

function fromNullable(inner: z.core.$ZodType, place: SchemaPlace): StructuralSchema {
  const schema = structuralFromZod(inner, place);
  if (schema.enum !== undefined) place.report("the server refuses null for a field with an enum; use .optional() in place of .nullable()");
  return { ...schema, nullable: true };
}

function fromDefault(def: z.core.$ZodDefaultDef | z.core.$ZodPrefaultDef, place: SchemaPlace): StructuralSchema {
  const schema = structuralFromZod(def.innerType, place);
  // Zod calls a function for it each time it is read.
  const [once, again] = [asJson(def.defaultValue), asJson(def.defaultValue)];
  if (once === undefined) place.report("a default must be JSON");
  else if (once === null) place.report("a default of null is none to the server; use .nullish()");
  else if (!structuralEqual(once, again)) place.report("a default must always be the same; compute it in the controller or a webhook");
  return once === undefined ? schema : { ...schema, default: completed(once, schema) };
}

/** A default with those of its fields: the server holds it against the schema and its rules as it stands. */
function completed(value: JsonValue, schema: StructuralSchema): JsonValue {
  const filled = normalize(value, schema) as JsonValue;
  return isWhole(value, filled) ? filled : value;
}

/** What `.describe()` and `.meta()` say. */
function describe(schema: z.core.$ZodType, place: SchemaPlace): StructuralSchema {
  const { title, description, example, examples } = z.globalRegistry.get(schema) ?? {};
  const shown: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  const json = asJson(shown);
  if (shown !== undefined && json === undefined) place.report("an example must be JSON");
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(json === undefined ? {} : { example: json }),
  };
}
