import fc from "fast-check";
import { compilePattern } from "../define/pattern-text.ts";
import { entrySchema } from "../define/structural-schema.ts";
import type { StructuralSchema } from "../define/structural-schema.ts";
import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";

/** Values that follow a schema, as far as it can be followed without a search: some break a length or a bound. */
export function arbitraryOf(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const value = arbitraryValue(schema);
  return schema.nullable === true ? fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }) : value;
}

/** The same value with one field, item or value in it changed, removed or added. */
export function arbitraryChange(value: JsonValue): fc.Arbitrary<JsonValue> {
  const places = placesIn(value);
  return fc.record({ place: fc.constantFrom(...places), change: fc.nat(), strange: strangeValue }).map(({ place, change, strange }) => {
    const changes = changesAt(place, value, strange);
    return changes[change % changes.length] ?? value;
  });
}

function arbitraryValue(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema["x-kubernetes-embedded-resource"] === true) {
    return fc.record(
      { apiVersion: fc.constantFrom("v1", "apps/v1"), kind: fc.constantFrom("Pod", "ConfigMap"), data: anyJson },
      { requiredKeys: ["apiVersion", "kind"] },
    );
  }
  if (schema["x-kubernetes-int-or-string"] === true) return fc.oneof(fc.integer(), arbitraryText(schema));
  switch (schema.type) {
    case "string":
      return arbitraryText(schema);
    case "integer":
      return arbitraryInteger(schema);
    case "number":
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true }).map((number) => number + 0);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case "object":
      return arbitraryObject(schema);
    case undefined:
      return anyJson;
    default:
      return schema.type satisfies never;
  }
}

function arbitraryText({ pattern, allOf, format, minLength = 0, maxLength = 12 }: StructuralSchema): fc.Arbitrary<string> {
  if (format === "date-time") return fc.constantFrom("2026-01-31T12:00:00Z", "2024-02-29T23:59:59.123+01:00", "0000-01-01T00:00:00-23:59");
  // Few texts match several patterns by chance.
  if (allOf !== undefined) return fc.constantFrom("amz", "a m z", "ammmz", "az");
  if (pattern !== undefined) return fc.stringMatching(compilePattern(pattern), { size: "small" });
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 12), unit: "grapheme" });
}

function arbitraryInteger(schema: StructuralSchema): fc.Arbitrary<number> {
  const { multipleOf: step = 1, exclusiveMinimum, exclusiveMaximum } = schema;
  const [least, most] = schema.format === "int32" ? [-(2 ** 31), 2 ** 31 - 1] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const min = (schema.minimum ?? least) + (exclusiveMinimum === true ? step : 0);
  const max = (schema.maximum ?? most) - (exclusiveMaximum === true ? step : 0);
  return fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(min, max)).map((number) => {
    return Math.floor(Math.min(max, Math.max(min, number)) / step) * step;
  });
}

function arbitraryObject(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const { properties, required = [], minProperties = 0, maxProperties = 3 } = schema;
  const entry = entrySchema(schema);
  if (entry !== undefined) {
    return fc.dictionary(arbitraryKey, arbitraryOf(entry), { minKeys: minProperties, maxKeys: Math.min(maxProperties, 3) });
  }
  if (properties === undefined) return fc.dictionary(arbitraryKey, anyJson, { maxKeys: 3 });
  const fields = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)]));
  if (maxProperties === 1) return fc.oneof(...Object.entries(fields).map(([name, field]) => field.map((value) => ({ [name]: value }))));
  return fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
}

const arbitraryKey = fc.constantFrom("a", "b-c", "example.com/d", "constructor", "E");

const anyJson = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

const strangeValue: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  ...[null, true, false, 0, -1, 1, 42, 1.5, -0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, 1e20, 1e300],
  ...[
    "",
    "a",
    "A",
    "x".repeat(64),
    "x".repeat(300),
    "😀",
    "😀😀😀😀😀😀",
    "a\nc",
    "a\rc",
    "a\u2028c",
    "a c\u00a0",
    "ac\u000b",
    "é",
    "2026-02-30T00:00:00Z",
  ],
  ...[[], ["a"], ["a", "a"], [null], [1, "a"], {}, { a: 1 }, { a: null }, { name: "a", number: 1 }],
);

interface Place {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

function placesIn(value: JsonValue, path: Place["path"] = []): readonly [Place, ...Place[]] {
  const inner = isJsonArray(value)
    ? value.flatMap((item, index) => placesIn(item, [...path, index]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : placesIn(field, [...path, name])))
      : [];
  return [{ path, value }, ...inner];
}

function changesAt({ path, value }: Place, root: JsonValue, strange: JsonValue): readonly JsonValue[] {
  const put = (changed: JsonValue | undefined): JsonValue => replaceAt(root, path, changed) ?? null;
  const changes = [put(strange), put(undefined), put(null)];
  if (typeof value === "number") changes.push(put(value + 1), put(value - 1), put(value + 0.5), put(-value), put(String(value)));
  if (typeof value === "string")
    changes.push(put(`${value}x`), put(Array.from(value).slice(1).join("")), put(value.toUpperCase()), put(` ${value}`), put(`${value}\n`));
  if (isJsonArray(value)) changes.push(put([...value, ...value]), put([...value, strange]), put(value.slice(1)));
  if (isJsonObject(value)) changes.push(put({ ...value, unknown: strange }), put({ ...value, a: strange }));
  return changes;
}

function replaceAt(root: JsonValue, [first, ...rest]: Place["path"], changed: JsonValue | undefined): JsonValue | undefined {
  if (first === undefined) return changed;
  if (isJsonArray(root)) {
    const item = replaceAt(root[Number(first)] ?? null, rest, changed);
    return item === undefined ? root.toSpliced(Number(first), 1) : root.with(Number(first), item);
  }
  const { [first]: old = null, ...others } = root as JsonObject;
  const field = replaceAt(old, rest, changed);
  return field === undefined ? others : { ...others, [first]: field };
}
