import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import { DefinitionError } from "./definition-error.ts";
import * as k from "./k.ts";

function problemsOf(field: z.ZodType): readonly string[] {
  try {
    defineResource({ group: "test.kaji.example.com", version: "v1", kind: "Thing", spec: z.object({ x: field }) });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}

test("[DEF2] defaults and examples must follow their own schema", () => {
  assert.deepEqual(problemsOf(z.int32().max(5).default(6)), [
    "spec.x: the default is not valid: spec.x: Invalid value: 6: spec.x in body should be less than or equal to 5",
  ]);
  assert.deepEqual(problemsOf(z.object({ a: z.string() }).prefault({} as { a: string })), [
    "spec.x: the default is not valid: spec.x.a: Required value",
  ]);
  assert.deepEqual(problemsOf(z.object({ a: z.string().optional() }).default({ b: 1 } as object)), [
    "spec.x: the default has fields that the schema does not have",
  ]);
  assert.deepEqual(problemsOf(z.string().max(1).meta({ example: "long" })), [
    "spec.x: the example is not valid: spec.x: Too long: may not be more than 1 byte",
  ]);
  assert.deepEqual(problemsOf(z.array(z.object({ a: z.int32().default(1) })).default([{ a: 1 }])), []);
});

test("[DEF2] limits must leave room for a value", () => {
  assert.deepEqual(problemsOf(z.int32().min(5).max(4)), ["spec.x: nothing is at least 5 and at most 4"]);
  assert.deepEqual(problemsOf(z.string().min(2).max(1)), ["spec.x: nothing is at least 2 and at most 1"]);
  assert.deepEqual(problemsOf(z.array(z.string()).length(1).max(0)), ["spec.x: nothing is at least 1 and at most 0"]);
});

test("[DEF2] a default must leave room for the other fields of an object", () => {
  const one = k.oneOf({ a: z.string().default("x"), b: z.string() });
  assert.deepEqual(problemsOf(one), [
    "spec.x.a: the default leaves no room for the other fields, of which there may be 1 in all; leave .default() out",
  ]);
  assert.deepEqual(problemsOf(k.oneOf({ a: z.string(), b: z.object({ c: z.string().default("x") }) })), []);
  const few = z.object({ a: z.string().default("x"), b: z.string().optional() });
  assert.deepEqual(problemsOf(few.check(k.properties({ max: 2 }))), []);
});

test("[DEF14] keys of lists must tell the items apart", () => {
  const item = z.object({ a: z.string().optional(), b: z.array(z.string()), c: z.string().nullable(), d: z.string().default("") });
  assert.deepEqual(problemsOf(k.listMap(item, "a")), ['spec.x: the key "a" must be required or have a default']);
  assert.deepEqual(problemsOf(k.listMap(item, "b")), ['spec.x: the key "b" must be a scalar']);
  assert.deepEqual(problemsOf(k.listMap(item, "c")), ['spec.x: the key "c" cannot be null']);
  assert.deepEqual(problemsOf(k.listMap(item, "d")), []);
  assert.deepEqual(problemsOf(k.listMap(item.nullable() as z.ZodType<{ d: string }>, "d")), [
    "spec.x: an item of a k.listMap() cannot be null",
  ]);
});

test("[DEF14] items of sets must be one value each", () => {
  const whole = "spec.x: an item of a k.set() must be one value: put .check(k.atomic()) on it, or use k.listMap(…)";
  assert.deepEqual(problemsOf(k.set(z.object({ a: z.string() }))), [whole]);
  assert.deepEqual(problemsOf(k.set(z.object({ a: z.string() }).check(k.atomic()))), []);
  assert.deepEqual(problemsOf(k.set(z.array(z.string()))), []);
  assert.deepEqual(problemsOf(k.set(k.set(z.string()))), [whole]);
  assert.deepEqual(problemsOf(k.set(z.string().nullable())), ["spec.x: an item of a k.set() cannot be null"]);
});

test("[DEF7] rules that a server would refuse are problems", () => {
  assert.deepEqual(problemsOf(z.string().check(k.rule(" "))), ["spec.x: a rule must not be empty"]);
  assert.deepEqual(problemsOf(z.string().check(k.rule("true", { message: "a\nb" }))), [
    "spec.x: the message of the rule true must be one line",
  ]);
  assert.deepEqual(problemsOf(z.string().check(k.rule("true ||\nfalse"))), [
    "spec.x: the rule true ||\nfalse has several lines and needs a message",
  ]);
  assert.deepEqual(problemsOf(z.string().check(k.rule("true", { optionalOldSelf: true }))), [
    "spec.x: the rule true has optionalOldSelf, but does not use oldSelf",
  ]);
  assert.deepEqual(problemsOf(z.unknown().check(k.rule("true"))), ["spec.x: a rule cannot look into a value of any type"]);
  const lost =
    "the rule self == oldSelf cannot find the old value inside a list or an atomic map; use k.listMap(…), or put the rule on the list itself";
  assert.deepEqual(problemsOf(z.array(z.string().check(k.immutable()))), [`spec.x[*]: ${lost}`]);
  assert.deepEqual(problemsOf(z.object({ a: z.string().check(k.immutable()) }).check(k.atomic())), [`spec.x.a: ${lost}`]);
  assert.deepEqual(problemsOf(k.listMap(z.object({ a: z.string(), b: z.string().check(k.immutable()) }), "a")), []);
  assert.deepEqual(problemsOf(z.array(z.string()).check(k.immutable())), []);
});
