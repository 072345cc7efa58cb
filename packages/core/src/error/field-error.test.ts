import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  aggregateMessage,
  duplicate,
  forbiddenField,
  invalidValue,
  notEnumerated,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import { parseJson } from "../json/json.ts";

const calls = { duplicate, forbiddenField, invalidValue, notFoundValue, notSupported, required, tooLong, tooMany, typeInvalid };

interface Vector extends FieldError {
  readonly call: keyof typeof calls;
  readonly args: readonly unknown[] | null;
}

const file: unknown = parseJson(readFileSync(new URL("../../testdata/field-error.json", import.meta.url), "utf8"));
const vectors = file as readonly Vector[];
const path = FieldPath.of("spec", "items").index(0).child("map").key("k.e/y");

test("[ERR1] every error of a field says what apimachinery says", () => {
  for (const { call, args, ...expected } of vectors) {
    const make = calls[call] as (path: FieldPath, ...args: readonly unknown[]) => FieldError;
    assert.deepEqual(make(path, ...(args ?? [])), expected, `${call} ${String(args)}`);
  }
});

test("[ERR1] a text of an enumeration is shown as JSON", () => {
  const field = FieldPath.of("a");
  assert.equal(notEnumerated(field, "<b>\u0001", ["c"]).body, String.raw`Unsupported value: "\u003cb\u003e\u0001": supported values: "c"`);
  assert.equal(notSupported(field, "<b>\u0001", ["c"]).body, String.raw`Unsupported value: "<b>\x01": supported values: "c"`);
});

test("[ERR1] a limit below zero is not told", () => {
  const field = FieldPath.of("a");
  assert.deepEqual(
    [tooLong(field, -1).body, tooMany(field, 3, -1).body],
    ["Too long: value is too long", "Too many: 3: has too many items"],
  );
});

test("[ERR2] one error stands alone, several in brackets, equal ones once", () => {
  const one = required(FieldPath.of("spec"));
  const other = forbiddenField(FieldPath.of("status"), "not yet");
  assert.equal(aggregateMessage([one]), "spec: Required value");
  assert.equal(aggregateMessage([one, one]), "spec: Required value");
  assert.equal(aggregateMessage([one, other]), "[spec: Required value, status: Forbidden: not yet]");
});
