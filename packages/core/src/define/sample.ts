import { aggregateMessage } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import { formatApiVersion } from "../object/group-version.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { Resource } from "../object/resource.ts";
import { ParseError } from "../error/parse-error.ts";
import { parsePattern } from "./pattern.ts";
import { patternExample } from "./pattern-example.ts";
import { entrySchema, propertyOf } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { compileSchema } from "./validate-schema.ts";

/** A draft of an object with what is required and what has an example or a default. Throws a `SampleError` where it finds no valid value. */
export function sampleOf(resource: Resource, schema: StructuralSchema): JsonObject {
  const { status: _, metadata = {}, ...properties } = schema.properties ?? {};
  const maker = new SampleMaker(resource.kind);
  const fields = maker.object({ ...schema, properties }, "", 0);
  const name = maker.name(propertyOf(metadata, "name") ?? {}, `${resource.singular}-sample`);
  return { apiVersion: formatApiVersion(resource), kind: resource.kind, metadata: { name }, ...fields };
}

/** Which value is wanted. */
export interface SamplePlace {
  /** The kind and the path that an error names. A text without a pattern is called after the last name of the path. */
  readonly kind: string;
  readonly path: string;
  /** From 0 up, where several different ones are needed. The first is the example or the default, if there is one. */
  readonly variant?: number;
}

/** A value that a schema allows, always the same for the same place. Throws a `SampleError` where it finds none. */
export function sampleValue(schema: StructuralSchema, { kind, path, variant = 0 }: SamplePlace): JsonValue {
  return new SampleMaker(kind).value(schema, path, variant);
}

/** A schema that no value can be made up for. Its author can give an example. */
export class SampleError extends TypeError {
  override readonly name = "SampleError";
  readonly problem: string;

  constructor(kind: string, problem: string) {
    super(`cannot make a sample of ${kind}: ${problem}`);
    this.problem = problem;
  }
}

/** Makes values. `variant` counts up where several different ones are needed. */
class SampleMaker {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** The usual name, unless names must be something else. */
  name(schema: StructuralSchema, usual: string): string {
    const { pattern, maxLength } = schema;
    const shortened = usual.slice(0, maxLength);
    return this.#firstValid(schema, "metadata.name", [
      usual,
      shortened,
      shortened.replaceAll("-", ""),
      pattern === undefined ? "" : exampleFor(pattern),
    ]);
  }

  object(schema: StructuralSchema, path: string, variant: number): JsonObject {
    const { properties = {}, required = [], minProperties = 0 } = schema;
    const entry = entrySchema(schema);
    const names = Object.keys(properties);
    const shown = names.filter((name) => required.includes(name) || isShown(properties[name] ?? {}));
    const others = names.filter((name) => !shown.includes(name)).slice(0, Math.max(0, minProperties - shown.length));
    const fields = names
      .filter((name) => shown.includes(name) || others.includes(name))
      .map((name) => [name, this.value(properties[name] ?? {}, join(path, name), variant)] as const);
    if (entry === undefined) return Object.fromEntries(fields);
    const entries = Array.from({ length: minProperties }, (_, index) => {
      const key = index === 0 ? "key" : `key-${index + 1}`;
      return [key, this.value(entry, join(path, key), index)] as const;
    });
    return Object.fromEntries(entries);
  }

  value(schema: StructuralSchema, path: string, variant: number): JsonValue {
    if (variant === 0 && schema.example !== undefined) return schema.example;
    if (variant === 0 && schema.default !== undefined) return schema.default;
    if (schema.enum !== undefined) return schema.enum[variant % schema.enum.length] ?? null;
    if (schema["x-kubernetes-embedded-resource"] === true) return { apiVersion: "v1", kind: "ConfigMap" };
    switch (schema.type) {
      case "object":
        return this.object(schema, path, variant);
      case "array":
        return Array.from({ length: Math.min(Math.max(1, schema.minItems ?? 0), schema.maxItems ?? Infinity) }, (_, index) =>
          this.value(schema.items ?? {}, path, variant + index),
        );
      case "boolean":
        return variant % 2 === 0;
      case "integer":
      case "number":
        return this.#number(schema, path, variant);
      case "string":
        return this.#text(schema, path, variant);
      case undefined:
        return schema["x-kubernetes-int-or-string"] === true ? this.#text({ ...schema, type: "string" }, path, variant) : {};
      default:
        return schema.type satisfies never;
    }
  }

  #number(schema: StructuralSchema, path: string, variant: number): number {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf: step = 1 } = schema;
    const least = exclusiveMinimum === true ? minimum + step : minimum;
    const most = exclusiveMaximum === true ? maximum - step : maximum;
    const start = Math.ceil(Math.max(least, Math.min(step, most)) / step) * step;
    return this.#firstValid(schema, path, [start + variant * step, Math.floor(most / step) * step, (minimum + maximum) / 2]);
  }

  #text(schema: StructuralSchema, path: string, variant: number): string {
    const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
    const name = path.slice(path.lastIndexOf(".") + 1).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const plain = variant === 0 ? name : `${name}-${variant + 1}`;
    const padded = plain.padEnd(minLength, "x").slice(0, maxLength);
    const time = format === "date-time" ? [`2026-01-01T00:00:${String(variant).padStart(2, "0")}Z`] : [];
    const matching = pattern === undefined ? "" : exampleFor(pattern);
    return this.#firstValid(schema, path, [
      ...time,
      padded,
      matching,
      matching.padEnd(minLength, matching.at(-1)),
      `${matching}${variant + 1}`,
    ]);
  }

  #firstValid<V extends JsonValue>(schema: StructuralSchema, path: string, candidates: readonly V[]): V {
    const check = compileSchema(schema);
    let problem = "";
    for (const candidate of candidates) {
      const errors: FieldError[] = [];
      check(candidate, FieldPath.of(path), errors);
      if (errors.length === 0) return candidate;
      problem ||= aggregateMessage(errors);
    }
    throw new SampleError(this.#kind, `no value was found for ${path} (${problem}); add .meta({ example: … }) to it`);
  }
}

function exampleFor(pattern: string): string {
  try {
    return patternExample(parsePattern(pattern));
  } catch (error) {
    if (error instanceof ParseError) return "";
    throw error;
  }
}

/** An optional field is in the sample only if something in it is worth showing. */
function isShown(schema: StructuralSchema): boolean {
  return schema.example !== undefined || schema.default !== undefined;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
