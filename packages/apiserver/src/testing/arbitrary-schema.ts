import fc from "fast-check";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";

/** A structural schema, and values that are valid by it. */
interface Shape {
  readonly schema: JsonSchemaProps;
  readonly valid: fc.Arbitrary<JsonValue>;
}

/** A schema for whole objects, with one that is valid and one that is anything. */
export interface ShapedObject {
  readonly schema: JsonSchemaProps;
  readonly valid: JsonObject;
  readonly any: JsonObject;
}

const names = ["a", "b", "metadata", "x.y", "__proto__", "constructor"];

/** Any JSON, often with the names that schemas use. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1, -5, 1.5, 1e20, "", "a", "xyz", "1.2.3.4", 9007199254740993n),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...names), tie("value")), { maxLength: 3 }).map(entriesOf),
  ),
})).value;

/** Objects of a custom kind with their schema. */
export function shapedObject(): fc.Arbitrary<ShapedObject> {
  return fc.tuple(shape(3), shape(2)).chain(([spec, status]) =>
    fc.record({
      schema: fc.constant<JsonSchemaProps>({ type: "object", properties: { spec: spec.schema, status: status.schema } }),
      valid: fc.record({ spec: spec.valid, status: status.valid }).map(typed),
      any: fc.record({ spec: fc.oneof(anyJson, spec.valid), status: anyJson, zz: anyJson }, { requiredKeys: [] }).map(typed),
    }),
  );
}

/** A structural schema of some depth. */
function shape(depth: number): fc.Arbitrary<Shape> {
  const plain = depth === 0 ? scalar : fc.oneof({ arbitrary: scalar, weight: 2 }, list(depth), map(depth), struct(depth), free);
  return fc.oneof({ arbitrary: plain, weight: 4 }, plain.map(nullable), plain.chain(withDefault));
}

const scalar: fc.Arbitrary<Shape> = fc.oneof(
  fc.integer({ min: -5, max: 5 }).map((minimum): Shape => ({
    schema: { type: "integer", minimum, maximum: minimum + 10 },
    valid: fc.integer({ min: minimum, max: minimum + 10 }),
  })),
  fc.constant<Shape>({
    schema: { type: "string", maxLength: 4, pattern: "^[a-c]*$" },
    valid: fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 }),
  }),
  fc.constant<Shape>({ schema: { type: "string", enum: ["red", "blue"] }, valid: fc.constantFrom("red", "blue") }),
  fc.constant<Shape>({ schema: { type: "string", format: "ipv4" }, valid: fc.ipV4() }),
  fc.constant<Shape>({ schema: { type: "boolean" }, valid: fc.boolean() }),
  fc.constant<Shape>({ schema: { type: "number", multipleOf: 0.5 }, valid: fc.integer().map((value) => value + 0.5) }),
  fc.constant<Shape>({ schema: { "x-kubernetes-int-or-string": true }, valid: fc.oneof(fc.integer(), fc.string()) }),
);

const free: fc.Arbitrary<Shape> = fc.constant({
  schema: { "x-kubernetes-preserve-unknown-fields": true, nullable: true },
  valid: anyJson,
});

function list(depth: number): fc.Arbitrary<Shape> {
  return shape(depth - 1).map(({ schema, valid }) => ({
    schema: { type: "array", items: schema, maxItems: 3 },
    valid: fc.array(valid, { maxLength: 3 }),
  }));
}

function map(depth: number): fc.Arbitrary<Shape> {
  return shape(depth - 1).map(({ schema, valid }) => ({
    schema: { type: "object", additionalProperties: schema },
    valid: fc.array(fc.tuple(fc.constantFrom(...names), valid), { maxLength: 3 }).map(entriesOf),
  }));
}

function struct(depth: number): fc.Arbitrary<Shape> {
  return fc.array(fc.tuple(fc.constantFrom(...names), shape(depth - 1)), { minLength: 1, maxLength: 4 }).map((fields) => {
    const shapes = new Map(fields);
    const [first = ""] = shapes.keys();
    const entries = fc.tuple(...[...shapes].map(([name, { valid }]) => fc.tuple(fc.constant(name), valid, fc.boolean())));
    return {
      schema: { type: "object", properties: entriesOf([...shapes].map(([name, { schema }]) => [name, schema])), required: [first] },
      valid: entries.map((given) =>
        entriesOf(given.flatMap(([name, value, isThere]) => (isThere || name === first ? [[name, value] as const] : []))),
      ),
    };
  });
}

function nullable({ schema, valid }: Shape): Shape {
  return { schema: { ...schema, nullable: true }, valid: schema.enum === undefined ? fc.oneof(valid, fc.constant(null)) : valid };
}

function withDefault({ schema, valid }: Shape): fc.Arbitrary<Shape> {
  return valid.filter((value) => value !== null).map((value) => ({ schema: { ...schema, default: value }, valid }));
}

function typed(fields: Partial<Record<"spec" | "status" | "zz", JsonValue>>): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "thing" }, ...fields };
}

/** Every name is plain data, `__proto__` too. */
function entriesOf<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries);
}
