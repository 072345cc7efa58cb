import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { isReason } from "../error/api-error.ts";
import type { JsonValue } from "../json/json.ts";
import { arbitraryChange, arbitraryOf } from "../testing/arbitrary-object.ts";
import { Everything } from "../testing/everything.ts";
import { defineResource } from "./define-resource.ts";
import * as k from "./k.ts";

const group = "test.kaji.example.com";

const Thing = defineResource({
  group,
  version: "v1",
  kind: "Thing",
  spec: z.object({
    name: z.string(),
    size: z.int32().min(1).max(10).default(1),
    note: z.string().nullable().optional(),
    inner: z.object({ a: z.int32().default(1), b: z.object({ c: z.int32().default(2) }).optional() }).optional(),
    filled: z.object({ a: z.int32().default(1), b: z.int32().default(2) }).prefault({ b: 3 }),
    map: z.record(z.string(), z.object({ x: z.int32().default(4) })).optional(),
    list: z.array(z.object({ x: z.int32().default(5) })).optional(),
    loose: z.looseObject({ known: z.object({ a: z.string().optional() }).optional() }).optional(),
    template: k.embeddedObject().optional(),
  }),
  status: z.object({ ready: z.boolean().default(false) }),
});

function parseSpec(spec: unknown): unknown {
  return Thing.parse({ metadata: { name: "a" }, spec }).spec;
}

function complaints(object: unknown): readonly string[] {
  return Thing.validate(object).map(({ field, body }) => `${field}: ${body}`);
}

const filled = { a: 1, b: 3 };

test("[DEF9] defaults are filled in, but only inside of what is there", () => {
  assert.deepEqual(parseSpec({ name: "x" }), { name: "x", size: 1, filled });
  assert.deepEqual(parseSpec({ name: "x", inner: {}, map: { m: {} }, list: [{}], filled: {} }), {
    name: "x",
    size: 1,
    inner: { a: 1 },
    map: { m: { x: 4 } },
    list: [{ x: 5 }],
    filled: { a: 1, b: 2 },
  });
  const object = Thing.parse({ metadata: { name: "a" }, spec: { name: "x" } });
  assert.equal(object.status, undefined);
  assert.deepEqual(Thing.parse({ ...object, status: {} }).status, { ready: false });
});

test("[DEF9] null is taken for absent, unless it is allowed", () => {
  assert.deepEqual(parseSpec({ name: "x", size: null, inner: null, note: null, map: { m: null } }), {
    name: "x",
    size: 1,
    note: null,
    map: {},
    filled,
  });
  assert.deepEqual(complaints({ metadata: { name: "a" }, spec: { name: null } }), ["spec.name: Required value"]);
  assert.deepEqual(complaints({ metadata: { name: "a" }, spec: { name: "x", list: [null] } }), [
    'spec.list[0]: Invalid value: "null": spec.list[0] in body must be of type object: "null"',
  ]);
});

test("[DEF9] unknown fields are dropped, except where they are to be kept", () => {
  const spec = { name: "x", other: 1, inner: { a: 1, other: 1 }, loose: { other: { a: null }, known: { a: "b", other: 1 } } };
  assert.deepEqual(parseSpec(spec), { name: "x", size: 1, filled, inner: { a: 1 }, loose: { other: { a: null }, known: { a: "b" } } });
  const template = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", other: 1, labels: null }, spec: { a: null } };
  assert.deepEqual(parseSpec({ name: "x", template }), {
    name: "x",
    size: 1,
    filled,
    template: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { a: null } },
  });
  assert.deepEqual(
    Thing.parse({ metadata: { name: "a" }, spec: { name: "x", template: { ...template, metadata: null } } }).spec.template?.metadata,
    {},
  );
  const object = Thing.parse({ metadata: { name: "a", other: 1 }, spec: { name: "x" }, other: 1 });
  assert.deepEqual(Object.keys(object), ["apiVersion", "kind", "metadata", "spec"]);
  assert.deepEqual(object.metadata, { name: "a" });
});

test("[DEF9] the names of the prototype are names like any other, and nothing is changed in place", () => {
  const object = JSON.parse(
    '{"metadata":{"name":"a"},"spec":{"name":"x","map":{"__proto__":{},"constructor":{}},"__proto__":{"size":5},"toString":1}}',
  ) as object;
  const before = structuredClone(object);
  const { spec } = Thing.parse(object);
  assert.deepEqual(Object.keys(spec.map ?? {}), ["__proto__", "constructor"]);
  assert.deepEqual([spec.size, Object.keys(spec)], [1, ["name", "map", "size", "filled"]]);
  assert.deepEqual(object, before);
});

test("[DEF8] errors name the field and say what the server says", () => {
  assert.deepEqual(
    complaints({ metadata: { name: "a" }, spec: { size: 11, note: 5, inner: { a: 1.5 }, filled: [], template: { kind: "x y" } } }),
    [
      "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
      'spec.note: Invalid value: "integer": spec.note in body must be of type string: "integer"',
      'spec.inner.a: Invalid value: "float64": spec.inner.a in body must be of type int32: "float64"',
      'spec.filled: Invalid value: "array": spec.filled in body must be of type object: "array"',
      "spec.template.apiVersion: Required value",
      "spec.template.kind: Invalid value: \"x y\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      "spec.name: Required value",
    ],
  );
});

test("[DEF8] bad input of any kind is an error of a field, never a crash", () => {
  for (const object of [
    undefined,
    null,
    1,
    "x",
    [],
    () => 1,
    {},
    { metadata: null },
    { metadata: [] },
    { metadata: { name: {} } },
    { metadata: { labels: 1 } },
    { spec: 1 },
  ]) {
    assert.ok(Thing.validate(object).length > 0);
    assert.throws(
      () => Thing.parse(object),
      (error) => isReason(error, "Invalid"),
    );
  }
  fc.assert(
    fc.property(fc.anything(), (spec) => Array.isArray(Thing.validate({ metadata: { name: "a" }, spec }))),
    { numRuns: 300, seed: 1 },
  );
});

test("[DEF8] type and name must be those of the resource", () => {
  const spec = { name: "x" };
  assert.deepEqual(complaints({ apiVersion: "v1", kind: "Other", metadata: { name: "a" }, spec }), [
    'kind: Invalid value: "Other": must be Thing',
    'apiVersion: Invalid value: "v1": must be test.kaji.example.com/v1',
  ]);
  assert.deepEqual(complaints({ metadata: {}, spec }), ["metadata.name: Required value: name or generateName is required"]);
  assert.deepEqual(complaints({ metadata: { generateName: "a-" }, spec }), []);
  assert.match(
    complaints({ metadata: { name: "A" }, spec })[0] ?? "",
    /^metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain/,
  );
  assert.match(complaints({ metadata: { name: "a", labels: { a: 1 } }, spec })[0] ?? "", /^metadata.labels.a: .*must be of type string/);
});

test("[DEF8] parse throws the refusal that the server would send", () => {
  assert.throws(() => Thing.parse({ metadata: { name: "a" }, spec: { name: "x", size: 0 } }), {
    name: "ApiError",
    code: 422,
    message:
      'Thing.test.kaji.example.com "a" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
  });
});

test("[DEF8] where there is no null, zod and the server decide alike", () => {
  const spec = Everything.openApiSchema.properties?.["spec"] ?? {};
  const mixed = fc.oneof(arbitraryOf(spec), arbitraryOf(spec).chain(arbitraryChange));
  const { apiVersion, kind } = Everything.sample();
  fc.assert(
    fc.property(
      mixed.filter((value) => !hasNull(value)),
      (value) => {
        const object = { apiVersion, kind, metadata: { name: "a" }, spec: value };
        return Everything.schema.safeParse(object).success === (Everything.validate(object).length === 0);
      },
    ),
    { numRuns: 100, seed: 1 },
  );
});

test("[DEF9] parsing what was parsed changes nothing", () => {
  const spec = Everything.openApiSchema.properties?.["spec"] ?? {};
  const object = arbitraryOf(spec).map((value) => ({ metadata: { name: "a" }, spec: value }));
  fc.assert(
    fc.property(
      object.filter((each) => Everything.validate(each).length === 0),
      (each) => assert.deepEqual(Everything.parse(Everything.parse(each)), Everything.parse(each)),
    ),
    { numRuns: 100, seed: 1 },
  );
});

function hasNull(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some((field) => field !== undefined && hasNull(field)));
}
