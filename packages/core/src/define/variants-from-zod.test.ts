import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { ObjectOf } from "../object/resource.ts";
import { defineResource } from "./define-resource.ts";
import { DefinitionError } from "./definition-error.ts";
import * as k from "./k.ts";

const data = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["A", "AAAA"]), addresses: z.array(z.string()).min(1), note: z.string().optional() }),
  z
    .object({ type: z.literal("CNAME"), target: z.string(), note: z.string().optional() })
    .check(k.rule("self.target != 'self'", { message: "points to itself" })),
]);
const RecordSet = defineResource({
  group: "dns.example.com",
  version: "v1",
  kind: "RecordSet",
  spec: z.object({ data }),
  columns: { Type: "spec.data.type" },
});
type RecordSet = ObjectOf<typeof RecordSet>;

function schemaOf(resource: { readonly openApiSchema: object }): unknown {
  return Reflect.get(Object(Reflect.get(Object(Reflect.get(resource.openApiSchema, "properties")), "spec")), "properties");
}

test("[DEF15] a discriminated union is an object with the fields of all variants, and rules about which goes with what", () => {
  assert.deepEqual(schemaOf(RecordSet), {
    data: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["A", "AAAA", "CNAME"] },
        addresses: { type: "array", items: { type: "string" }, minItems: 1 },
        note: { type: "string" },
        target: { type: "string" },
      },
      required: ["type"],
      "x-kubernetes-validations": [
        {
          rule: '!has(self.addresses) || self.type in ["A", "AAAA"]',
          message: "is only for type A and AAAA",
          reason: "FieldValueForbidden",
          fieldPath: ".addresses",
        },
        {
          rule: 'has(self.addresses) || !(self.type in ["A", "AAAA"])',
          message: "is needed for type A and AAAA",
          reason: "FieldValueRequired",
          fieldPath: ".addresses",
        },
        {
          rule: '!has(self.target) || self.type in ["CNAME"]',
          message: "is only for type CNAME",
          reason: "FieldValueForbidden",
          fieldPath: ".target",
        },
        {
          rule: 'has(self.target) || !(self.type in ["CNAME"])',
          message: "is needed for type CNAME",
          reason: "FieldValueRequired",
          fieldPath: ".target",
        },
        { rule: "!(self.type in [\"CNAME\"] && has(self.target)) || (self.target != 'self')", message: "points to itself" },
      ],
      example: { type: "A", addresses: ["addresses"] },
    },
  });
});

test("[DEF15] the program reads it as a union, and the sample is of the first variant", () => {
  const valueOf = ({ spec: { data: of } }: Pick<RecordSet, "spec">): readonly string[] =>
    of.type === "CNAME" ? [of.target] : of.addresses;
  assert.deepEqual(valueOf({ spec: { data: { type: "CNAME", target: "a" } } }), ["a"]);
  assert.deepEqual(RecordSet.sample().spec, { data: { type: "A", addresses: ["addresses"] } });
});

test("[DEF15] fields whose names CEL spells in another way are spelled so", () => {
  const spec = z.object({
    source: z.discriminatedUnion("if", [
      z.object({ if: z.literal("a"), "my-field": z.string() }),
      z.object({ if: z.literal("b"), namespace: z.string() }),
    ]),
  });
  const schema = JSON.stringify(defineResource({ group: "example.com", version: "v1", kind: "Copy", spec }).openApiSchema);
  assert.ok(schema.includes("has(self.my__dash__field) || !(self.__if__ in"));
  assert.ok(schema.includes("has(self.__namespace__)"));
});

test("[DEF15] what a structural schema cannot say of variants is refused, with what to write", () => {
  const problemsOf = (variants: Parameters<typeof z.discriminatedUnion>[1]): readonly string[] => {
    try {
      defineResource({ group: "example.com", version: "v1", kind: "Copy", spec: z.object({ of: z.discriminatedUnion("type", variants) }) });
    } catch (error) {
      if (error instanceof DefinitionError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
      throw error;
    }
    return [];
  };
  const [a, b] = [z.literal("a"), z.literal("b")];
  const size = problemsOf([z.object({ type: a, size: z.string() }), z.object({ type: b, size: z.int32() })]);
  assert.match(
    size.join(),
    /^spec\.of\.size: a field has one schema in all variants of a union; give one of these another name, or use k\.oneOf/,
  );
  const filled = problemsOf([z.object({ type: a, size: z.int32().default(1) }), z.object({ type: b })]);
  assert.match(filled.join(), /^spec\.of\.size: the server would set the default of a field in all variants; use \.optional\(\)/);
  const unnamed = problemsOf([z.object({ type: a, "a b": z.string() }), z.object({ type: b })]);
  assert.match(unnamed.join(), /^spec\.of\.a b: the rules of a union cannot name this field/);
  assert.match(problemsOf([z.object({ type: z.literal(1) }), z.object({ type: b })]).join(), /their discriminators texts/);
  assert.match(
    problemsOf([z.looseObject({ type: a }), z.object({ type: b })]).join(),
    /fields that are not known, can be in a field of it/,
  );
});
