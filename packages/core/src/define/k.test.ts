import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { parseDuration } from "../scalar/duration.ts";
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors } from "../object/names.ts";
import { Quantity } from "../scalar/quantity.ts";
import { parseTime } from "../scalar/time.ts";
import { defineResource } from "./define-resource.ts";
import * as k from "./k.ts";

const options = { numRuns: 500, seed: 1 };

function isValid(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

test("[DEF14] names and label values are those that the rules of names allow", () => {
  const unit = fc.constantFrom(..."aZ09-._");
  const text = fc.oneof(
    fc.string({ unit, maxLength: 8 }),
    fc.integer({ min: 60, max: 260 }).map((length) => "a".repeat(length)),
  );
  fc.assert(
    fc.property(text, (name) => isValid(k.dnsLabel(), name) === (dns1123LabelErrors(name).length === 0)),
    options,
  );
  fc.assert(
    fc.property(text, (name) => isValid(k.dnsSubdomain(), name) === (dns1123SubdomainErrors(name).length === 0)),
    options,
  );
  fc.assert(
    fc.property(text, (value) => isValid(k.labelValue(), value) === (labelValueErrors(value).length === 0)),
    options,
  );
});

test("[DEF14] a quantity is what Quantity reads, if it begins with a number", () => {
  const text = fc.string({ unit: fc.constantFrom(..."+-.019eEnumkKMGTPi"), maxLength: 6 });
  const isAmount = (value: string): boolean => /^[+-]?\.?\d/.test(value) && isRead(() => Quantity.parse(value));
  fc.assert(
    fc.property(text, (value) => isValid(k.quantity(), value) === isAmount(value)),
    { numRuns: 2000, seed: 1 },
  );
  for (const value of ["500m", "1.5Gi", ".5", "5.", "12e6", "1E3", 2, -1, 0]) assert.ok(isValid(k.quantity(), value), String(value));
  for (const value of ["", "1 Gi", "Gi", "1KB", 0.5, null, true]) assert.ok(!isValid(k.quantity(), value), String(value));
});

test("[DEF14] a duration is not negative and one that Go reads", () => {
  const text = fc.string({ unit: fc.constantFrom(..."019.hmsnuµ"), maxLength: 6 });
  fc.assert(
    fc.property(text, (value) => !isValid(k.duration(), value) || isRead(() => parseDuration(value))),
    { numRuns: 2000, seed: 1 },
  );
  for (const value of ["1h30m", "250ms", "1.5s", "0"]) assert.ok(isValid(k.duration(), value));
  for (const value of ["", "1", "-1s", "1d", "1h 30m"]) assert.ok(!isValid(k.duration(), value));
});

test("[DEF14] a time is one that JavaScript and Go read", () => {
  for (const value of ["2026-01-31T12:00:00Z", "2024-02-29T23:59:59.999999+01:00", "0000-01-01T00:00:00-23:59"]) {
    assert.ok(isValid(k.time(), value), value);
    assert.ok(!Number.isNaN(parseTime(value)), value);
  }
  const wrong = [
    "2023-02-29T00:00:00Z",
    "2026-01-31",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:00:00",
    "2026-01-31t12:00:00z",
    "2026-01-31T12:00:00+99:99",
    "x",
  ];
  for (const value of wrong) assert.ok(!isValid(k.time(), value), value);
});

test("[DEF14] sets and lists with keys refuse what is there twice", () => {
  assert.ok(isValid(k.set(z.string()), ["a", "b"]));
  assert.ok(!isValid(k.set(z.string()), ["a", "b", "a"]));
  const list = k.listMap(z.object({ name: z.string(), port: z.int().default(1) }), "name", "port");
  assert.ok(isValid(list, [{ name: "a" }, { name: "a", port: 2 }]));
  assert.ok(!isValid(list, [{ name: "a" }, { name: "a", port: 1 }]));
});

test("[DEF14] oneOf takes exactly one of its fields", () => {
  const source = k.oneOf({ git: z.object({ url: z.string() }), image: z.string() });
  assert.ok(isValid(source, { git: { url: "x" } }));
  assert.ok(isValid(source, { image: "x", unknown: 1 }));
  assert.ok(!isValid(source, {}));
  assert.ok(!isValid(source, { git: { url: "x" }, image: "x" }));
  assert.ok(!isValid(source, { git: {} }));
  const said = (value: unknown): readonly string[] => source.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
  assert.deepEqual(said({}), ["must have exactly one of git, image, and has none"]);
  assert.deepEqual(said({ git: { url: "x" }, image: "x" }), ["must have exactly one of git, image, and has git, image"]);
});

test("[DEF14] maps are limited in their entries", () => {
  const map = z.record(z.string(), z.string()).check(k.properties({ min: 1, max: 2 }));
  assert.deepEqual(
    [{}, { a: "" }, { a: "", b: "" }, { a: "", b: "", c: "" }].map((value) => isValid(map, value)),
    [false, true, true, false],
  );
});

test("[DEF14] selectors, conditions, embedded and free objects", () => {
  assert.ok(isValid(k.labelSelector(), { matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "Exists" }] }));
  assert.ok(!isValid(k.labelSelector(), { matchExpressions: [{ key: "a", operator: "Gt" }] }));
  const condition = { type: "Ready", status: "True", lastTransitionTime: "2026-01-31T12:00:00Z", reason: "Done", message: "" };
  assert.ok(isValid(k.conditions(), [condition, { ...condition, type: "example.com/Other" }]));
  assert.ok(isValid(k.conditions(), undefined));
  assert.ok(!isValid(k.conditions(), [condition, condition]));
  assert.ok(!isValid(k.conditions(), [{ ...condition, reason: "" }]));
  assert.ok(isValid(k.embeddedObject(), { apiVersion: "v1", kind: "Pod", spec: {} }));
  assert.ok(!isValid(k.embeddedObject(), { kind: "Pod" }));
  assert.deepEqual(k.preserveUnknownFields<{ a: number }>().parse({ a: 1, b: 2 }), { a: 1, b: 2 });
});

test("[DEF14] openApi is all that the server checks of a value, and adds to what it checks of an object or a list", () => {
  const spec = z.object({
    size: z.int().check(k.openApi({ type: "integer", format: "int64" })),
    names: z.array(z.string()).check(k.openApi({ maxItems: 3, anyOf: [{ minItems: 1 }] })),
  });
  const [version] = defineResource({ group: "example.com", version: "v1", kind: "Thing", spec }).crd().spec.versions;
  assert.deepEqual(version?.schema.openAPIV3Schema.properties?.["spec"]?.properties, {
    size: { type: "integer", format: "int64" },
    names: { type: "array", items: { type: "string" }, maxItems: 3, anyOf: [{ minItems: 1 }] },
  });
});
