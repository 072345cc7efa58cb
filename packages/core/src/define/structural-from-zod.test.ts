import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { Problem } from "./definition-error.ts";
import * as k from "./k.ts";
import { SchemaPlace } from "./schema-place.ts";
import { structuralFromZod } from "./structural-from-zod.ts";
import type { StructuralSchema } from "./structural-schema.ts";

function convert(schema: z.ZodType): StructuralSchema {
  const problems: Problem[] = [];
  const converted = structuralFromZod(schema, SchemaPlace.at("spec.x", problems));
  assert.deepEqual(problems, []);
  return converted;
}

function refusal(schema: z.ZodType): string {
  const problems: Problem[] = [];
  structuralFromZod(schema, SchemaPlace.at("spec.x", problems));
  return problems.map(({ path, message }) => `${path}: ${message}`).join("\n");
}

test("[DEF10] strings keep their lengths, patterns and values", () => {
  assert.deepEqual(convert(z.string()), { type: "string" });
  assert.deepEqual(convert(z.string().min(2).min(1).max(9)), { type: "string", minLength: 2, maxLength: 9 });
  assert.deepEqual(convert(z.string().length(3)), { type: "string", minLength: 3, maxLength: 3 });
  assert.deepEqual(convert(z.string().nonempty()), { type: "string", minLength: 1 });
  assert.deepEqual(convert(z.string().regex(/^a/g)), { type: "string", pattern: "^a" });
  assert.deepEqual(convert(z.string().startsWith("a.").endsWith("z")), {
    type: "string",
    pattern: "^a\\..*",
    allOf: [{ pattern: ".*z$" }],
  });
  assert.deepEqual(convert(z.string().includes("m").lowercase()), { type: "string", pattern: "m", allOf: [{ pattern: "^[^A-Z]*$" }] });
  assert.deepEqual(convert(z.enum(["a", "b"])), { type: "string", enum: ["a", "b"] });
  assert.deepEqual(convert(z.literal(["a", "b", "a"])), { type: "string", enum: ["a", "b"] });
  assert.deepEqual(convert(z.union([z.literal("a"), z.enum(["b", "c"])])), { type: "string", enum: ["a", "b", "c"] });
});

test("[DEF10] a format of zod that is a pattern becomes that pattern", () => {
  for (const schema of [
    z.uuid(),
    z.guid(),
    z.ulid(),
    z.nanoid(),
    z.cuid2(),
    z.ipv4(),
    z.cidrv4(),
    z.mac(),
    z.e164(),
    z.hex(),
    z.email(),
    z.iso.date(),
    z.iso.time(),
  ]) {
    assert.match(convert(schema).pattern ?? "", /^\^.*\$$/);
  }
  assert.equal(convert(z.base64()).pattern, "^$|^([0-9a-zA-Z+/]{4})*(([0-9a-zA-Z+/]{2}==)|([0-9a-zA-Z+/]{3}=))?$");
  assert.equal(convert(z.string().base64url()).pattern, "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$");
});

test("[DEF10] numbers keep their bounds; whole ones are integers within what JavaScript reads exactly", () => {
  assert.deepEqual(convert(z.number()), { type: "number" });
  assert.deepEqual(convert(z.float64().min(0).max(1)), { type: "number", minimum: 0, maximum: 1 });
  assert.deepEqual(convert(z.int32()), { type: "integer", format: "int32" });
  assert.deepEqual(convert(z.int32().min(0).min(1)), { type: "integer", format: "int32", minimum: 1 });
  assert.deepEqual(convert(z.int()), { type: "integer", format: "int64", minimum: -9007199254740991, maximum: 9007199254740991 });
  assert.deepEqual(convert(z.number().int().positive().lt(10)), {
    type: "integer",
    format: "int64",
    minimum: 0,
    exclusiveMinimum: true,
    maximum: 10,
    exclusiveMaximum: true,
  });
  assert.deepEqual(convert(z.number().min(3).gt(3)), { type: "number", minimum: 3, exclusiveMinimum: true });
  assert.deepEqual(convert(z.uint32().multipleOf(4)), { type: "integer", format: "int64", minimum: 0, maximum: 4294967295, multipleOf: 4 });
  assert.deepEqual(convert(z.literal([1, 2])), { type: "integer", enum: [1, 2] });
  assert.deepEqual(convert(z.enum({ Low: 1, High: 2, 1: "Low", 2: "High" })), { type: "integer", enum: [1, 2] });
  assert.deepEqual(convert(z.literal(true)), { type: "boolean", enum: [true] });
  assert.deepEqual(convert(z.boolean()), { type: "boolean" });
});

test("[DEF10] objects, maps and lists", () => {
  assert.deepEqual(convert(z.object({})), { type: "object" });
  assert.deepEqual(
    convert(z.object({ a: z.string(), b: z.string().optional(), c: z.string().default("x"), d: z.string().exactOptional() })),
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string", default: "x" }, d: { type: "string" } },
      required: ["a"],
    },
  );
  assert.deepEqual(convert(z.object({ a: z.string().optional() }).required()).required, ["a"]);
  assert.deepEqual(convert(z.looseObject({})), { type: "object", "x-kubernetes-preserve-unknown-fields": true });
  assert.deepEqual(convert(z.unknown()), { "x-kubernetes-preserve-unknown-fields": true, nullable: true });
  assert.deepEqual(convert(z.record(z.string(), z.int32())), {
    type: "object",
    additionalProperties: { type: "integer", format: "int32" },
  });
  assert.deepEqual(convert(z.array(z.string()).min(1).max(3)), { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 });
  assert.deepEqual(convert(z.string().array().length(2).readonly()), {
    type: "array",
    items: { type: "string" },
    minItems: 2,
    maxItems: 2,
  });
});

test("[DEF10] null, defaults, descriptions and examples", () => {
  assert.deepEqual(convert(z.string().nullable()), { type: "string", nullable: true });
  assert.deepEqual(convert(z.string().nullish().default("x")), { type: "string", nullable: true, default: "x" });
  assert.deepEqual(convert(z.object({ a: z.int32().default(1) }).prefault({})), {
    type: "object",
    properties: { a: { type: "integer", format: "int32", default: 1 } },
    default: { a: 1 },
  });
  assert.deepEqual(convert(z.array(z.object({ a: z.int32().default(1), b: z.int32().optional() })).prefault([{ b: 2 }])).default, [
    { b: 2, a: 1 },
  ]);
  assert.deepEqual(convert(z.string().describe("inner").min(1).optional()), { description: "inner", type: "string", minLength: 1 });
  assert.deepEqual(convert(z.string().describe("inner").optional().describe("outer")), { description: "outer", type: "string" });
  assert.deepEqual(convert(z.string().meta({ title: "T", examples: ["e", "f"] })), { title: "T", example: "e", type: "string" });
});

test("[DEF2] what has no structural schema is refused with its path and what to write instead", () => {
  interface Tree {
    readonly children: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({
    get children() {
      return z.array(tree);
    },
  });
  const refusals: readonly [z.ZodType, RegExp][] = [
    [z.date(), /^spec.x: z.date\(\) has no JSON form; use k.time\(\)$/],
    [z.bigint(), /use z.int\(\), or a string/],
    [z.int64(), /use z.int\(\), or a string/],
    [z.int64().min(0n), /^spec.x: a bigint[^\n]*, or a string$/],
    [z.symbol(), /use z.string\(\)/],
    [z.undefined(), /use .optional\(\)/],
    [z.void(), /leave the field out/],
    [z.null(), /use .nullable\(\)/],
    [z.never(), /leave the field out/],
    [z.nan(), /use z.number\(\)/],
    [z.map(z.string(), z.string()), /use z.record/],
    [z.set(z.string()), /use k.set/],
    [z.tuple([z.string(), z.int()]), /use z.object\(\) with named fields/],
    [z.intersection(z.object({}), z.object({})), /use one z.object\(\)/],
    [z.string().transform(Number), /the server cannot transform values/],
    [z.preprocess(String, z.string()), /the server cannot transform values/],
    [z.stringbool(), /the server cannot transform values/],
    [z.string().pipe(z.string()), /the server cannot transform values/],
    [z.coerce.number(), /the server does not convert values/],
    [z.string().catch("x"), /leave .catch\(\) out/],
    [z.string().trim(), /the server does not change values/],
    [z.string().refine(() => true), /a refinement is a function/],
    [z.object({}).superRefine(() => undefined), /a refinement is a function/],
    [z.boolean().refine(() => true), /a refinement is a function/],
    [z.custom<string>(() => true), /k.preserveUnknownFields/],
    [z.instanceof(Date), /k.preserveUnknownFields/],
    [z.function(), /has no JSON form/],
    [z.promise(z.string()), /has no JSON form/],
    [z.file(), /has no JSON form/],
    [z.lazy(() => z.string()), /contains itself/],
    [tree, /^spec.x.children\[\*\]: a type that contains itself/],
    [z.json(), /contains itself/],
    [z.templateLiteral(["a", z.int()]), /use z.string\(\).regex/],
    [z.union([z.string(), z.object({})]), /a union of string, object has no structural schema; use one type/],
    [z.union([z.string(), z.int()]), /use k.intOrString\(\)/],
    [z.union([z.string(), z.null()]), /use .nullable\(\)/],
    [z.union([z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })]), /use z.discriminatedUnion\(\), or k.oneOf/],
    [z.literal(["a", 1]), /must all be strings, all whole numbers or all booleans/],
    [z.literal([1, 1.5]), /must all be strings, all whole numbers or all booleans/],
    [z.literal(null), /must all be strings, all whole numbers or all booleans/],
    [z.enum([]), /without values/],
    [z.enum(["a"]).nullable(), /refuses null for a field with an enum/],
    [z.strictObject({}), /without .strict\(\)/],
    [z.object({}).catchall(z.string()), /a z.record\(\) of their own/],
    [z.record(z.enum(["a"]), z.string()), /the keys of a map can be any string/],
    [z.record(z.string().min(1), z.string()), /the keys of a map can be any string/],
    [z.record(z.string(), z.string().optional()), /^spec.x\[\*\]: a value of a map cannot be absent/],
    [z.array(z.string().default("x")), /^spec.x\[\*\]: an item of a list cannot be absent/],
    [z.number().min(0.5), /use a whole number, or .check\(k.rule\("self >= 0.5"\)\)/],
    [z.number().lt(1e300), /k.rule\("self < 1e\+300"\)/],
    [z.number().multipleOf(0.5), /cannot check multiples of 0.5/],
    [z.int().multipleOf(2).multipleOf(3), /least common multiple/],
    [z.float32(), /use z.number\(\)/],
    [z.url(), /isURL\(self\)/],
    [z.ipv6(), /isIP\(self\)/],
    [z.cidrv6(), /isCIDR\(self\)/],
    [z.iso.datetime(), /use k.time\(\)/],
    [z.iso.duration(), /use k.duration\(\)/],
    [z.hostname(), /use k.dnsSubdomain\(\)/],
    [z.jwt(), /the format "jwt"/],
    [z.emoji(), /the format "emoji"/],
    [z.stringFormat("even", (text) => text.length % 2 === 0), /checked by a function/],
    [z.string().includes("a", { position: 2 }), /checked by a function/],
    [z.string().regex(/a/i), /has the flag "i"/],
    [z.string().regex(/(?=a)/), /cannot read the pattern/],
    [z.string().nullable().default(null), /a default of null is none/],
    [z.unknown().default(() => new Date(0)), /a default must be JSON/],
    [z.int().default(() => counter++), /must always be the same/],
    [z.string().meta({ example: () => "x" }), /an example must be JSON/],
  ];
  let counter = 0;
  for (const [schema, message] of refusals) assert.match(refusal(schema), message);
});

test("[DEF14] k gives lists, maps and objects the meaning that apply needs", () => {
  assert.deepEqual(convert(k.set(z.string()).max(3)), {
    type: "array",
    items: { type: "string" },
    maxItems: 3,
    "x-kubernetes-list-type": "set",
  });
  assert.deepEqual(convert(k.listMap(z.object({ n: z.string() }), "n")), {
    type: "array",
    items: { type: "object", properties: { n: { type: "string" } }, required: ["n"] },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["n"],
  });
  assert.equal(convert(z.array(z.string()).check(k.atomic()))["x-kubernetes-list-type"], "atomic");
  assert.equal(convert(z.record(z.string(), z.string()).check(k.atomic()))["x-kubernetes-map-type"], "atomic");
  assert.deepEqual(convert(k.oneOf({ a: z.string(), b: z.int32() })), {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer", format: "int32" } },
    minProperties: 1,
    maxProperties: 1,
  });
  assert.deepEqual(convert(k.embeddedObject().describe("d")), {
    description: "d",
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  });
  assert.deepEqual(convert(k.intOrString()), { "x-kubernetes-int-or-string": true });
});

test("[DEF7] what stays as it was first set may say why", () => {
  const rules = (check: ReturnType<typeof k.immutable>): unknown => convert(z.string().check(check))["x-kubernetes-validations"];
  const rule = { rule: "self == oldSelf", reason: "FieldValueForbidden" };
  assert.deepEqual(rules(k.immutable()), [{ ...rule, message: "is immutable" }]);
  assert.deepEqual(rules(k.immutable({ message: "data cannot move" })), [{ ...rule, message: "data cannot move" }]);
});

test("[DEF7] rules stay with a schema that is described, made optional or extended", () => {
  const rule = { rule: "self.a != ''", message: "m", fieldPath: ".a", reason: "FieldValueRequired" };
  const ruled = z.object({ a: z.string() }).check(k.rule("self.a != ''", { message: "m", fieldPath: "a", reason: "FieldValueRequired" }));
  for (const schema of [ruled, ruled.describe("d"), ruled.optional(), ruled.extend({ b: z.string() })]) {
    assert.deepEqual(convert(schema)["x-kubernetes-validations"], [rule]);
  }
  assert.deepEqual(
    convert(
      z
        .string()
        .check(k.immutable())
        .check(k.rule("true", { optionalOldSelf: true })),
    )["x-kubernetes-validations"],
    [
      { rule: "self == oldSelf", message: "is immutable", reason: "FieldValueForbidden" },
      { rule: "true", optionalOldSelf: true },
    ],
  );
});
