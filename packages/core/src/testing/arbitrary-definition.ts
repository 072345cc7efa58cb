import fc from "fast-check";
import { z } from "zod";
import * as k from "../define/k.ts";

/** Zod schemas of all kinds, some of which no server can serve. */
export function arbitraryDefinition(): fc.Arbitrary<z.ZodObject> {
  const { object } = fc.letrec<{ any: z.ZodType; object: z.ZodObject }>((tie) => ({
    any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, wrapped(scalar), list(tie("any")), map(tie("any")), tie("object")),
    object: fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "bC", "d_e", "metadata", "kind"), fc.oneof(tie("any"), wrapped(tie("any"))), { maxKeys: 3 }),
        fc.boolean(),
      )
      .map(([shape, loose]) => (loose ? z.looseObject(shape) : z.object(shape))),
  }));
  return object;
}

const text: fc.Arbitrary<z.ZodType> = fc
  .record({ min: fc.nat(5), max: fc.nat(9), regex: fc.constantFrom(/^a/, /x$/, /^[^\s]*$/) })
  .chain(({ min, max, regex }) =>
    fc.constantFrom(
      z.string(),
      z.string().min(min),
      z.string().max(max),
      z.string().regex(regex).max(max),
      z.string().regex(regex).startsWith("b"),
      z.uuid(),
      z.iso.date(),
      k.dnsLabel(),
      k.time(),
      k.duration(),
      k.labelValue(),
      z
        .string()
        .max(max)
        .check(k.rule("self != 'no'", { message: "not no" })),
      z.string().max(max).check(k.immutable()),
    ),
  );

const number: fc.Arbitrary<z.ZodType> = fc
  .tuple(fc.integer({ min: -9, max: 0 }), fc.integer({ min: 1, max: 9 }))
  .chain(([low, high]) =>
    fc.constantFrom(
      z.int(),
      z.int32().min(low),
      z.int32().max(high),
      z.number().gt(low).lt(high),
      z.uint32().multipleOf(3),
      z.number().min(low / 2),
    ),
  );

const scalar: fc.Arbitrary<z.ZodType> = fc.oneof(
  text,
  number,
  fc.constantFrom<z.ZodType[]>(
    z.boolean(),
    z.enum(["x", "y"]),
    z.literal([1, 2]),
    z.literal(true),
    k.quantity(),
    k.intOrString(),
    z.unknown(),
    k.embeddedObject(),
    k.labelSelector(),
  ),
);

function list(item: fc.Arbitrary<z.ZodType>): fc.Arbitrary<z.ZodType> {
  return fc.oneof(
    item.map((each) => z.array(each).max(3)),
    item.map((each) => z.array(each).check(k.atomic())),
    item.map((each) => k.set(each)),
    item.map((each) => k.listMap(z.object({ name: z.string(), each }), "name").max(3)),
  );
}

function map(value: fc.Arbitrary<z.ZodType>): fc.Arbitrary<z.ZodType> {
  return fc.oneof(
    value.map((each) => z.record(z.string(), each).check(k.properties({ max: 3 }))),
    value.map((each) => k.oneOf({ first: each, second: z.string() })),
  );
}

function wrapped(schema: fc.Arbitrary<z.ZodType>): fc.Arbitrary<z.ZodType> {
  return fc.oneof(
    schema.map((each) => each.optional()),
    schema.map((each) => each.nullable()),
    schema.map((each) => each.describe("described").nullish()),
    fc.constantFrom<z.ZodType[]>(
      z.string().default("x"),
      z.int32().default(1),
      z.array(z.string()).default(["a"]),
      z.object({ z: z.int().default(1) }).prefault({}),
    ),
  );
}
