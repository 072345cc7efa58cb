import fc from "fast-check";
import { formatApiVersion, jsonOf } from "@kaji/core";
import type { JsonObject, JsonValue, KubeObject } from "@kaji/core";
import type { DefinedVersion, ResourceDefinition } from "@kaji/core/define";
import { brokenRules } from "./broken-rules.ts";

type Schema = ResourceDefinition["openApiSchema"];

/** How deep values go where a schema does not end by itself, and how many there are of what it does not limit. */
const mostItems = 3;

/** So many objects in a row may break a rule before it is an error: looking on would take for ever. */
const mostRefused = 10_000;

/**
 * Objects of a custom resource that its schema and its CEL rules allow, with their defaults, for property tests with fast-check: they shrink to small ones. Throws where hardly any
 * object that the schema makes keeps the rules.
 */
export function arbitrary<T extends KubeObject>(resource: DefinedVersion<T>): fc.Arbitrary<T> {
  const {
    spec,
    status: _status,
    metadata: _metadata,
    apiVersion: _apiVersion,
    kind: _kind,
    ...others
  } = resource.openApiSchema.properties ?? {};
  const fields = Object.entries({ ...others, ...(spec === undefined ? {} : { spec }) }).map(
    ([name, field]) => [name, valueOf(field)] as const,
  );
  const metadata = resource.scope === "Namespaced" ? { name: "arbitrary", namespace: "default" } : { name: "arbitrary" };
  const whole = { apiVersion: formatApiVersion(resource), kind: resource.kind, metadata };
  return fc
    .record(Object.fromEntries(fields))
    .map((content): object => ({ ...whole, ...content }))
    .filter((object) => resource.validate(object).length === 0)
    .map((object) => resource.parse(object))
    .filter(keepsRules(resource));
}

/** Whether an object keeps the rules of its kind. Throws when none has for long. */
function keepsRules(kind: DefinedVersion): (object: KubeObject) => boolean {
  let refused = 0;
  return (object) => {
    const [broken] = brokenRules(kind, jsonOf(object));
    refused = broken === undefined ? 0 : refused + 1;
    if (broken === undefined || refused < mostRefused) return broken === undefined;
    throw new Error(
      `arbitrary: none of ${mostRefused} objects in a row that were made by the schema of ${kind.kind} keeps its CEL rules; the last one broke ` +
        `${broken.field}: ${broken.body}. Say more of it in the schema (a pattern, bounds, z.discriminatedUnion), or make the objects in the test`,
    );
  };
}

/** Values that a schema allows, as far as types, bounds and lists of values go. */
function valueOf(schema: Schema): fc.Arbitrary<JsonValue> {
  const value = schema.enum === undefined ? typedValueOf(schema) : fc.constantFrom(...schema.enum);
  return schema.nullable === true ? fc.option(value) : value;
}

function typedValueOf(schema: Schema): fc.Arbitrary<JsonValue> {
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return integerOf(schema);
    case "number":
      return fc.double({ ...boundsOf(schema, -1e6, 1e6), noNaN: true });
    case "string":
      return textOf(schema);
    case "array": {
      const { items, minItems: minLength = 0, maxItems = Math.max(minLength, mostItems) } = schema;
      return items === undefined
        ? fc.constant([])
        : fc.array(valueOf(items), { minLength, maxLength: Math.min(maxItems, minLength + mostItems) });
    }
    case "object":
      return objectOf(schema);
    case undefined:
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom("10%", "50%"));
    default:
      return schema.type satisfies never;
  }
}

function integerOf(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema, -(2 ** 31), 2 ** 31 - 1);
  return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
}

/** The bounds of a schema, and where it has none the usual ones: beyond those there are as many values as between them. */
function boundsOf({ minimum, maximum }: Schema, least: number, most: number): { readonly min: number; readonly max: number } {
  return {
    min: minimum ?? (maximum === undefined || maximum >= least ? least : maximum - (most - least)),
    max: maximum ?? (minimum === undefined || minimum <= most ? most : minimum + (most - least)),
  };
}

function objectOf(schema: Schema): fc.Arbitrary<JsonObject> {
  const { properties, required = [], maxProperties = mostItems } = schema;
  if (properties === undefined) {
    const key = fc.string({ unit: fc.constantFrom(..."abcdef"), minLength: 1, maxLength: 4 });
    const entry = schema.additionalProperties === true ? {} : schema.additionalProperties;
    const values = entry === undefined ? fc.string() : valueOf(entry);
    return fc.dictionary(key, values, { maxKeys: Math.min(maxProperties, mostItems), noNullPrototype: true });
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]));
  return fc.record(fields, { requiredKeys: [...required] });
}

function textOf({ pattern, format, minLength = 0, maxLength = Math.max(minLength, 12) }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern, "u")).filter(({ length }) => length >= minLength && length <= maxLength);
  switch (format) {
    case "date-time":
      return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
    case "date":
      return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
    case "ipv4":
      return fc.ipV4();
    case "ipv6":
      return fc.ipV6();
    case "uuid":
      return fc.uuid();
    case "uri":
      return fc.webUrl();
    case "duration":
      return fc.integer({ min: 0, max: 10_000 }).map((seconds) => `${seconds}s`);
    case "byte":
      return fc.base64String({ maxLength: 24 });
    default:
      return fc.string({ unit: fc.constantFrom(..."abcdefghij-0123"), minLength, maxLength });
  }
}
